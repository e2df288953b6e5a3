# jq's functions that are defined in jq itself. They follow jaq's own definitions and replace some of them.
def error(message): message | error;
def todate: strftime("%Y-%m-%dT%H:%M:%SZ");
def todateiso8601: todate;
def fromdateiso8601: strptime("%Y-%m-%dT%H:%M:%SZ") | mktime;
def fromdate: fromdateiso8601;
def date: todate;
def dateadd(u; n): . + n;
def datesub(u; n): . - n;

def values: select(. != null);
def nulls: select(. == null);
def booleans: select(type == "boolean");
def numbers: select(type == "number");
def strings: select(type == "string");
def arrays: select(type == "array");
def objects: select(type == "object");
def iterables: select(type == "array" or type == "object");
def scalars: select(type != "array" and type != "object");
def isfinite: type == "number" and (isinfinite | not);
def finites: select(isfinite);
def normals: select(isnormal);
def abs: if . < 0 then -. else . end;

def paths: path(..) | select(length > 0);
def paths(f): path(.. | select(f)) | select(length > 0);
def delpaths($paths): reduce ($paths | sort | reverse | .[]) as $path (.; getpath($path) |= empty);
def del(f): delpaths([path(f)]);
def pick(f): . as $in | reduce path(f) as $path (null; setpath($path; $in | getpath($path)));
def to_entries: [keys_unsorted[] as $key | {key: $key, value: .[$key]}];
def from_entries:
  map([(.key // .Key // .name // .Name), if has("value") then .value else .Value end]) | _object;
def with_entries(f): to_entries | map(f) | from_entries;
def map_values(f): .[] |= f;
def walk(f): def w: if type == "object" then map_values(w) elif type == "array" then map(w) else . end | f; w;
def in(xs): . as $x | xs | has($x);
def inside(xs): . as $x | xs | contains($x);
def index($i): indices($i) | .[0];
def rindex($i): indices($i) | .[-1:][0];
def sort_by(f): _sort_by(map([f]));
def group_by(f): _group_by(map([f]));
def unique_by(f): [group_by(f)[] | .[0]];
def unique: unique_by(.);
def min_by(f): _min_by(map([f]));
def max_by(f): _max_by(map([f]));
def min: min_by(.);
def max: max_by(.);
def add(f): [f] | add;
def flatten: _flatten(-1);
def flatten($depth): if $depth < 0 then error("flatten depth must not be negative") else _flatten($depth) end;
def first: .[0];
def last: .[-1];
def nth($n): .[$n];
def nth($n; f): if $n < 0 then error("Out of bounds negative array index") else first(skip($n; f)) end;
def isempty(g): first((g | false), true);
def combinations:
  if length == 0 then [] else .[0][] as $x | (.[1:] | combinations) as $rest | [$x] + $rest end;
def combinations(n): . as $dot | [range(n) | $dot] | combinations;
def transpose: [range(0; (map(length) | max) // 0) as $i | [.[][$i]]];
def env: $ENV;
def halt: halt(0);
def halt_error: halt_error(5);
def debug(message): (message | debug | empty), .;

def tostream:
  path(def r: (.[]? | r), .; r) as $path | getpath($path) | reduce path(.[]?) as $child ([$path, .]; [$path + $child]);
def fromstream(f):
  {x: null, e: false} as $init
  | foreach f as $i ($init;
      if .e then $init else . end
      | if $i | length == 2
        then setpath(["e"]; $i[0] | length == 0) | setpath(["x"] + $i[0]; $i[1])
        else setpath(["e"]; $i[0] | length == 1) end;
      if .e then .x else empty end);
def truncate_stream(f):
  . as $n | null | f | . as $i | if (.[0] | length) > $n then setpath([0]; $i[0][$n:]) else empty end;

def match($re; $flags): _match($re; $flags; false)[];
def match($re):
  if ($re | type) == "array" then match($re[0]; $re[1]) else match($re; null) end;
def test($re; $flags): _match($re; $flags; true);
def test($re): if ($re | type) == "array" then test($re[0]; $re[1]) else test($re; null) end;
def _captures: reduce (.captures[] | select(.name != null) | {(.name): .string}) as $pair ({}; . + $pair);
def capture($re; $flags): match($re; $flags) | _captures;
def capture($re): match($re) | _captures;
def scan($re; $flags): match($re; "g" + $flags) | if .captures | length > 0 then [.captures[].string] else .string end;
def scan($re): scan($re; null);
def split($re; $flags): . as $s
  | [foreach ((match($re; $flags + "g") | [.offset, .length]), null) as $m ([0, null];
      if $m == null then [null, $s[.[0]:]] else [$m[0] + $m[1], $s[.[0]:$m[0]]] end; .[1])];
def splits($re; $flags): split($re; $flags)[];
def splits($re): splits($re; null);
def sub($re; f; $flags): . as $in
  | (reduce match($re; $flags) as $edit ({result: [], previous: 0};
      $in[.previous:$edit.offset] as $gap
      | [$edit | _captures | f] as $inserts
      | reduce range(0; $inserts | length) as $i (.; .result[$i] += $gap + $inserts[$i])
      | .previous = $edit.offset + $edit.length)
    | .result[] + $in[.previous:]) // $in;
def sub($re; f): sub($re; f; "");
def gsub($re; f; $flags): sub($re; f; $flags + "g");
def gsub($re; f): sub($re; f; "g");

def INDEX(stream; key): [stream | [(key | tostring), .]] | _object;
def INDEX(key): INDEX(.[]; key);
def IN(s): any(s == .; .);
def IN(source; s): any(source == s; .);
def JOIN($index; key): [.[] | [., $index[key]]];
def JOIN($index; stream; key): stream | [., $index[key]];
def JOIN($index; stream; key; f): stream | [., $index[key]] | f;
def @text: tostring;
def @json: tojson;
def @csv: _format("csv");
def @tsv: _format("tsv");
def @html: _format("html");
def @uri: _format("uri");
def @sh: _format("sh");
def @base64: _format("base64");
def @base64d: _format("base64d");
