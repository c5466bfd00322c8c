#!/bin/sh
# run-tests predicted: each test ends as it was predicted for the program that the tests were made from.
# run-tests mended: none fails, and each prints what its .out says: what was printed, or what a reference prints.
# In both modes a run that passes ends with the exit status that its .status says.
# run-tests mended NAME...: the same of these tests alone.
# A run fails when a signal ends it: abort, a floating-point exception, a bus error, a segmentation fault. One that is
# predicted to fail and has an .out fails, too, when it prints something else.
mode=$1
shift
wrong=0
[ $# -gt 0 ] || set -- tests/*.in
ASAN_OPTIONS=abort_on_error=1:detect_leaks=0 UBSAN_OPTIONS=abort_on_error=1
export ASAN_OPTIONS UBSAN_OPTIONS
for input in "$@"; do
  name=$(basename "$input" .in)
  timeout 10 ./program <"tests/$name.in" >"$name.printed" 2>"$name.errors"
  code=$?
  status=""
  [ -e "tests/$name.status" ] && status=$(cat "tests/$name.status")
  case $code in
  124) end="does not end in time" ;;
  "$status") end=passes ;;
  134 | 135 | 136 | 139) end=fails ;;
  *) end=passes ;;
  esac
  expected=passes
  [ "$mode" = predicted ] && [ -e "tests/$name.fails" ] && expected=fails
  said=""
  if [ -e "tests/$name.out" ] && ! cmp -s "tests/$name.out" "$name.printed"; then
    if [ "$expected" = fails ]; then
      end=fails
    else
      said=" and prints something else than tests/$name.out (see $name.printed)"
    fi
  fi
  if [ "$end" = passes ] && [ -n "$status" ] && [ "$code" != "$status" ]; then
    said="$said and ends with the status $code, not $status"
  fi
  if [ "$end" = "$expected" ] && [ -z "$said" ]; then
    echo "$name: $end"
    rm -f "$name.printed" "$name.errors"
  else
    if [ "$end" = "$expected" ]; then
      echo "$name: $end as it should, but${said# and}"
    else
      echo "$name: $end, but it should be: $expected$said"
    fi
    wrong=1
  fi
done
exit $wrong
