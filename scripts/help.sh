# shellcheck shell=sh
# Sourced by a script before it does anything: prints the script's first comment and ends if the first word asks for help.
case ${1:-} in
-h | --help)
    sed -n '2,/^[^#]/s/^#\( \|$\)//p' "$0"
    exit
    ;;
esac
