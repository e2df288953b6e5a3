#--- awk-system
awk 'BEGIN { print "before"; r = system("echo in; exit 3"); print "code", r; system("exit 0"); print "end" }'; echo 'a b' | awk '{ if (system("test -e /nosuch")) print "none", $1 }'; awk 'BEGIN { system("") ; print system("true") }'
#--- awk-command-getline
awk 'BEGIN { "echo one; echo two" | getline x; print x; "echo one; echo two" | getline x; print x; print ("echo one; echo two" | getline x); close("echo one; echo two"); "echo one; echo two" | getline; print $1, NR }'; awk 'BEGIN { while (("seq 3" | getline n) > 0) s += n; print s; cmd = "echo a:b"; cmd | getline line; close(cmd); split(line, p, ":"); print p[2] }'; echo x | awk '{ ("echo " $1 "y") | getline v; print v }'
#--- awk-print-pipe
printf 'c 1\na 2\nb 3\n' | awk '{ print $1 | "sort" } END { print "first" }'; printf '3\n1\n2\n' | awk '{ print | "sort -n" } END { close("sort -n"); print "after" }'; awk 'BEGIN { for (i = 0; i < 5; i++) printf "%d\n", i | "wc -l"; print "x" > "/dev/stderr" }' 2>/dev/null; awk 'BEGIN { for (i = 0; i < 30000; i++) print "line", i | "tail -n 1" }'
#--- sed-files
printf '1\n2\n3\n' > n; printf 'a\nb\n' | sed 'R n'; printf 'a\nb\nc\nd\n' | sed -n 'N;W first
p'; cat first; sed F n | head -2; printf 'a\tb\\\n' | sed -n l; echo v | sed 'v;s/v/w/'; sed -n '/[13]/w out
2p' n; cat out
#--- back-references
printf 'abab\nabba\nnoon\nhello\n' > w; grep '\(.\)\1' w; grep -E '(.)(.)\2\1' w; sed 's/\(.\)\1/<\1>/' w; sed -E 's/(.+)\1/[\1]/' w; grep -Eo 'a|ab|abb' w; echo 'foobar foo' | grep -Eo 'foo|foobar'; expr abab : '\(ab\)\1'; echo 'aXbXc' | sed 's/X\(.*\)X/-\1-/'; grep -c '^\(.*\)\1$' w
#--- files-through-pipes
diff <(printf 'a\nb\n') <(printf 'a\nc\n'); paste <(seq 3) <(seq 4 6); comm -12 <(printf 'a\nb\n') <(printf 'b\nc\n'); sort -m <(printf '1\n3\n') <(printf '2\n4\n'); join <(printf 'k 1\n') <(printf 'k 2\n'); wc -l <(seq 7) | awk '{ print $1 }'; cmp <(echo a) <(echo a) && echo same; md5sum < <(echo hi); cat <(sleep 0.1; echo late)
#--- sums
printf hello | md5sum; printf hello | sha1sum; printf hello | sha256sum; printf hello | sha512sum | cut -c1-20; seq 1000 | sha256sum
#--- small-programs
printf 'a\tb\n\tc\n' | expand -t 4; printf 'abcdefgh\ti\n' | expand; flock -n lock echo locked; getconf LONG_BIT; stdbuf -oL echo buf; stdbuf -o 0 -e L echo buf2; getconf PAGE_SIZE
