# ETALON_TRY_CFLAG(FLAG): append FLAG to ETALON_CFLAGS if the compiler takes it.
AC_DEFUN([ETALON_TRY_CFLAG], [
  AS_VAR_PUSHDEF([cache], [etalon_cv_cflag_$1])
  AC_CACHE_CHECK([whether $CC accepts $1], [cache], [
    etalon_save_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $1"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM([], [])], [AS_VAR_SET([cache], [yes])], [AS_VAR_SET([cache], [no])])
    CFLAGS=$etalon_save_cflags
  ])
  AS_VAR_IF([cache], [yes], [ETALON_CFLAGS="$ETALON_CFLAGS $1"])
  AS_VAR_POPDEF([cache])
])

# ETALON_SANITIZER(NAME, FLAGS): a --enable-NAME-sanitizer switch. The flags stay out of CFLAGS, for the shim that
# is loaded into other programs takes none.
AC_DEFUN([ETALON_SANITIZER], [
  AC_ARG_ENABLE([$1-sanitizer], [AS_HELP_STRING([--enable-$1-sanitizer], [build with $2])])
  AS_IF([test "x$enable_$1_sanitizer" = xyes], [
    SANITIZER_FLAGS="$SANITIZER_FLAGS $2 -fno-omit-frame-pointer"
  ])
])

# ETALON_CHECK_CONTRACTION: bit-exact results need a*b+c to stay two roundings.
AC_DEFUN([ETALON_CHECK_CONTRACTION], [
  AC_MSG_CHECKING([that floating-point contraction is off])
  etalon_save_cflags=$CFLAGS
  CFLAGS="$ETALON_CFLAGS $CFLAGS -O2"
  AC_RUN_IFELSE([AC_LANG_SOURCE([[
    static volatile float va = 0x1.000002p0f, vc = -0x1.000004p0f;
    int main(void) { float a = va, c = vc; return a * a + c != 0.0f; }
  ]])], [AC_MSG_RESULT([yes])],
    [AC_MSG_FAILURE([the compiler contracts a*b+c; results would differ from silicon])],
    [AC_MSG_RESULT([not run: cross compiling])])
  CFLAGS=$etalon_save_cflags
])
