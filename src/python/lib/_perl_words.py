# The operators of Perl by precedence, and the names of its functions.
import re
LEVELS = [['||', '//'], ['&&'], ['|', '^'], ['&'], ['==', '!=', '<=>', 'eq', 'ne', 'cmp'], ['<=', '>=', '<', '>', 'lt', 'gt', 'le', 'ge'],
          ['<<', '>>'], ['+', '-', '.'], ['*', '/', '%', 'x'], ['=~', '!~']]
COMPARE = 5
UNARY = ('defined ref scalar lc uc lcfirst ucfirst length chr ord int abs sqrt sin cos exp log hex oct rand srand exit shift pop chomp chop keys '
         'values each delete exists quotemeta sleep close chdir rmdir readline eof localtime floor ceil undef lock umask').split()
LISTS = ('print printf say push unshift splice join split sprintf die warn reverse sort map grep system exec open return index rindex substr unlink mkdir '
         'sum sum0 min max first uniq atan2 binmode fmod pow time wantarray select local exists').split()
WORD = re.compile(r'[A-Za-z_]\w*(::\w+)*')
CLOSE = {'(': ')', '[': ']', '{': '}', '<': '>'}
