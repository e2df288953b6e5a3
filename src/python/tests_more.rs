//! Packages, the prompt, signals, and processes that are saved in the middle.

use super::{ALICE, Ran, TestRun, scripts};
use crate::PythonProcess;
use base::pack::{Packer, unpack};
use base::time::Time;
use host::{Signal, Status};
use std::path::Path;

const PIP: &str = "numpy 1.26.4\npandas 2.1.4\ntorch 2.2.0\nmpi4py 3.1.5\nscikit-learn 1.3.2\ntensorflow 2.15.0\njax 0.4.23\n";

fn with_packages(script: &str) -> TestRun {
    let files = [("script.py", script), (".local/pip-packages", PIP)];
    let mut run = TestRun::new(&["python3", "script.py"], &files, "");
    run.slices(20_000);
    run
}

/// Scripts with what numpy 1.26.4 or pandas 2.1.4 and CPython 3.11 printed for them, and their exit codes.
#[test]
fn arrays_print_what_numpy_prints() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/numpy");
    let (mut number, mut wrong) = (0, String::new());
    let texts = ["scripts.txt", "pandas.txt"].map(|file| std::fs::read_to_string(folder.join(file)).unwrap());
    for (name, text) in texts.iter().flat_map(|text| scripts(text)) {
        let (script, rest) = text.split_once("---- exit ").unwrap();
        let (code, expected) = rest.split_once('\n').unwrap();
        number += 1;
        let Ran { out, err, code: ours } = with_packages(script).result();
        if format!("{out}{err}") != expected || ours.to_string() != code {
            wrong += &format!("==== {name}\n---- ours {ours}\n{out}{err}---- real {code}\n{expected}");
        }
    }
    assert!(wrong.is_empty(), "of {number} scripts, these differ:\n{wrong}");
    assert!(number >= 15);
}

#[test]
fn packages_are_there_only_if_the_environment_has_them() {
    let ran = super::ours("import numpy as np\n", &[], "");
    assert!(
        ran.err.ends_with("ModuleNotFoundError: No module named 'numpy'\n") && ran.code == 1,
        "{}",
        ran.err
    );
    let ran = with_packages("import dask\n").result();
    assert!(ran.err.ends_with("ModuleNotFoundError: No module named 'dask'\n"), "{}", ran.err);
    let ran = with_packages("import numpy as np\nprint(np.__version__)\nnp.linalg.svd(np.eye(2))\n").result();
    assert_eq!((ran.out.as_str(), ran.code), ("1.26.4\n", 1));
    assert!(
        ran.err.ends_with("NotImplementedError: sandbatch does not simulate numpy.linalg.svd\n"),
        "{}",
        ran.err
    );
    assert!(ran.err.contains("File \"/home/alice/script.py\", line 3, in <module>"), "{}", ran.err);
}

#[test]
fn large_arrays_cost_memory_and_time_and_are_estimates() {
    let script = "import numpy as np\na = np.random.rand(20000, 20000)\nprint(a.shape, round(a.mean(), 1))\nb = a @ a\nprint(b.shape)\n";
    let run = with_packages(script);
    let ran = run.result();
    assert_eq!((ran.out.as_str(), ran.code), ("(20000, 20000) 0.5\n(20000, 20000)\n", 0));
    assert_eq!(ran.err, "script.py: simulated (not computed): see \"man sim\"\n");
    // Two times 8000 billion operations at ten billion a second.
    let seconds = (run.now - Time::from_secs(1_795_240_468)).secs();
    assert!((1000..3000).contains(&seconds), "{seconds} s");
}

/// The skeleton that every course has.
const TRAINING: &str = "import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
device = 'cuda' if torch.cuda.is_available() else 'cpu'
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(20, 64), nn.ReLU(), nn.Linear(64, 2))
    def forward(self, x):
        return self.layers(x)
torch.manual_seed(0)
data = TensorDataset(torch.randn(256, 20), torch.randint(0, 2, (256,)))
loader = DataLoader(data, batch_size=32, shuffle=True)
model = Net().to(device)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
first = last = None
for epoch in range(20):
    total = correct = 0
    for x, y in loader:
        x, y = x.to(device), y.to(device)
        optimizer.zero_grad()
        out = model(x)
        loss = criterion(out, y)
        loss.backward()
        optimizer.step()
        total += loss.item()
        correct += (out.argmax(1) == y).sum().item()
    last = total / len(loader)
    first = first or last
torch.save(model.state_dict(), 'model.pt')
print(device, len(loader), out.shape, last < first, 0 <= correct <= 256)
print(sum(p.numel() for p in model.parameters()), model)
model.load_state_dict(torch.load('model.pt'))
x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
print(x @ x, x.sum().item(), x.mean(), x.shape, x.dtype)
torch.fft.fft(x)
";

#[test]
fn a_training_runs_as_a_model() {
    let ran = with_packages(TRAINING).result();
    let out = "cpu 8 torch.Size([32, 2]) True True
1474 Net(
  (layers): Sequential(
    (0): Linear(in_features=20, out_features=64, bias=True)
    (1): ReLU()
    (2): Linear(in_features=64, out_features=2, bias=True)
  )
)
tensor([[ 7., 10.],
        [15., 22.]]) 10.0 tensor(2.5000) torch.Size([2, 2]) torch.float32
";
    assert_eq!((ran.out.as_str(), ran.code), (out, 1), "{}", ran.err);
    assert!(ran.err.starts_with("script.py: simulated (not computed): see \"man sim\"\n"), "{}", ran.err);
    assert!(ran.err.ends_with("NotImplementedError: sandbatch does not simulate torch.fft\n"), "{}", ran.err);
}

#[test]
fn mixed_precision_has_two_names() {
    let script = "import torch.amp
from torch.cuda.amp import GradScaler, autocast
with autocast():
    print(GradScaler().scale(2.5), autocast is torch.amp.autocast)
";
    let ran = with_packages(script).result();
    assert_eq!(ran.out, "2.5 True\n", "{}", ran.err);
}

#[test]
fn other_frameworks_have_their_usual_calls() {
    let script = "import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.linear_model import LinearRegression
from sklearn.metrics import mean_squared_error
x = np.arange(20).reshape(-1, 1)
y = 3 * x[:, 0] + 1
a, b, c, d = train_test_split(x, y, test_size=0.25, random_state=0)
m = LinearRegression().fit(a, c)
print(a.shape, b.shape, round(m.coef_[0], 6), round(m.intercept_, 6), round(mean_squared_error(d, m.predict(b)), 6))
import jax.numpy as jnp
print(jnp.arange(3) + 1, jnp.sum(jnp.ones(4)))
import tensorflow as tf
from tensorflow.keras import layers
print(tf.config.list_physical_devices('GPU'))
model = tf.keras.Sequential([layers.Dense(16, activation='relu', input_shape=(4,)), layers.Dense(1)])
model.compile(optimizer='adam', loss='mse')
h = model.fit(np.ones((64, 4)), np.ones(64), epochs=3, verbose=0)
print(model.count_params(), len(h.history['loss']), h.history['loss'][0] > h.history['loss'][-1] - 0.1, model.predict(np.ones((2, 4)), verbose=0).shape)
from sklearn.svm import SVC
";
    let ran = with_packages(script).result();
    let out = "(15, 1) (5, 1) 3.0 1.0 0.0\n[1 2 3] 4.0\n[]\n97 3 True (2, 1)\n";
    assert_eq!((ran.out.as_str(), ran.code), (out, 1), "{}", ran.err);
    assert!(
        ran.err.ends_with("NotImplementedError: sandbatch does not simulate sklearn.svm\n"),
        "{}",
        ran.err
    );
}

#[test]
fn work_on_a_gpu_takes_its_memory_and_keeps_it_busy() {
    let script = "import torch
print(torch.cuda.device_count(), torch.cuda.get_device_name(1))
x = torch.ones(20000, 20000).to('cuda:1')
for i in range(20):
    y = x @ x
print(y.device, i)
torch.zeros(200000, 200000).to('cuda:0')
";
    let files = [("script.py", script), (".local/pip-packages", PIP)];
    let mut run = TestRun::new(&["python3", "script.py"], &files, "");
    let gpus = vec![host::Gpu::of(Some("a40")); 2];
    run.kernel.set_hardware(
        "login01",
        host::Hardware { cpus: 8, memory: 64_000, gpus, ..host::Hardware::default() },
    );
    let mut busiest = Vec::new();
    while run.status.is_none() {
        run.slices(1);
        let seen: Vec<_> = run.kernel.gpu_users("login01").flat_map(|p| p.gpus.clone()).collect();
        if seen.iter().any(|g| g.load > 50) {
            busiest = seen;
        }
    }
    // A matrix of 1.6 GB in single precision, and only on the second GPU.
    assert!(matches!(busiest.as_slice(), [gpu] if gpu.index == 1 && gpu.memory > 1_500), "{busiest:?}");
    let ran = run.result();
    assert_eq!((ran.out.as_str(), ran.code), ("2 NVIDIA A40\ncuda:1 19\n", 1), "{}", ran.err);
    assert!(ran.err.contains("torch.cuda.OutOfMemoryError: CUDA out of memory."), "{}", ran.err);
}

#[test]
fn devices_that_are_not_there_fail() {
    let ran = with_packages("import torch\ntorch.zeros(3).to('cuda:1')\n").result();
    assert!(ran.err.ends_with("RuntimeError: No CUDA GPUs are available\n") && ran.code == 1, "{}", ran.err);
}

/// Saves a process and reads it again.
fn saved(process: &PythonProcess) -> (PythonProcess, u64) {
    let mut packer = Packer::new(true);
    packer.add(process);
    let length = packer.length();
    let bytes = unpack(&packer.finish().bytes, 1 << 28).unwrap();
    (postcard::from_bytes(&bytes).unwrap(), length)
}

#[test]
fn a_saved_process_continues_as_if_nothing_had_happened() {
    let script = "import time, json, re, random
from collections import Counter
random.seed(5)
class Job:
    def __init__(self, n):
        self.n = n
    def work(self):
        for i in range(self.n):
            time.sleep(1)
            yield i, random.random()
counts = Counter()
try:
    for i, x in Job(5).work():
        counts[i % 2] += 1
        print(i, round(x, 6), len(json.dumps({'i': i})), re.sub(r'\\d', '#', f'step {i}'))
    raise ValueError('end')
finally:
    print(sorted(counts.items()), max([3, 1, 2]), 'a,b'.split(','))
";
    let mut whole = TestRun::new(&["python3", "script.py"], &[("script.py", script)], "");
    whole.slices(1000);
    let mut parts = TestRun::new(&["python3", "script.py"], &[("script.py", script)], "");
    while parts.status.is_none() {
        parts.slices(1);
        parts.process = saved(&parts.process).0;
    }
    assert_eq!(parts.result(), whole.result());
    assert_eq!(parts.now, whole.now);
    assert!(whole.result().out.contains("4 ") && whole.result().code == 1, "{:?}", whole.result());
}

#[test]
fn a_process_at_rest_is_small() {
    let mut run = TestRun::new(&["python3", "-c", "import time\ntime.sleep(100)"], &[], "");
    run.slices(5);
    let length = saved(&run.process).1;
    assert!(length <= 65_536, "{length} bytes");
}

#[test]
fn a_handler_runs_while_the_program_sleeps() {
    let script = "import signal, time, sys
def stop(number, frame):
    print('got', signal.Signals(number).name)
    if number == signal.SIGTERM:
        sys.exit(3)
signal.signal(signal.SIGUSR1, stop)
signal.signal(signal.SIGTERM, stop)
print('ready', flush=True)
time.sleep(1000)
print('never')
";
    // The harness jumps to the end of a sleep: the signals come before that.
    let mut run = TestRun::new(&["python3", "script.py"], &[("script.py", script)], "");
    while run.text("out").is_empty() {
        run.slices(1);
    }
    let begin = Time::from_secs(1_795_240_468);
    for signal in [Signal::USR1, Signal::TERM] {
        run.now = begin;
        run.kernel.kill(ALICE, host::kernel::ProcessTarget::Process(run.pid), Some(signal)).unwrap();
        run.slices(1);
    }
    assert_eq!(run.text("out"), "ready\ngot SIGUSR1\ngot SIGTERM\n");
    assert_eq!(run.status, Some(Status::Exited(3)));
}

/// A terminal, what is typed, and what the prompt answers.
#[test]
fn the_prompt_of_a_terminal() {
    let mut run = TestRun::new(&["python3"], &[], "");
    let tty = run.kernel.new_tty();
    let fd = run.kernel.open_tty(run.pid, tty).unwrap();
    for to in 0..3 {
        run.kernel.dup2(run.pid, fd, to).unwrap();
    }
    let group = run.kernel.process(run.pid).unwrap().group;
    run.kernel.tty_mut(tty).unwrap().foreground = Some(group);
    let mut shown = String::new();
    let typed = |run: &mut TestRun, text: &[u8]| {
        run.kernel.tty_input(tty, text);
        run.slices(5);
        String::from_utf8_lossy(&run.kernel.take_tty_output(tty)).into_owned()
    };
    shown += &typed(&mut run, b"");
    for line in [
        "1 + 1\n",
        "x = [1, 2]\n",
        "x\n",
        "_ + [3]\n",
        "for i in x:\n",
        "    print(i)\n",
        "\n",
        "1/0\n",
        "f(\n",
        "2)\n",
        "if\n",
        "exit\n",
    ] {
        shown += &typed(&mut run, line.as_bytes());
    }
    shown += &typed(&mut run, b"\x03");
    shown += &typed(&mut run, b"\x04");
    let expected = "Python 3.11.2 (main, Mar 13 2023, 12:18:29) [GCC 12.2.0] on linux
Type \"help\", \"copyright\", \"credits\" or \"license\" for more information.
>>> 2
>>> >>> [1, 2]
>>> [1, 2, 3]
>>> ... ... 1
2
>>> Traceback (most recent call last):
  File \"<stdin>\", line 1, in <module>
ZeroDivisionError: division by zero
>>> ... Traceback (most recent call last):
  File \"<stdin>\", line 1, in <module>
NameError: name 'f' is not defined
>>>   File \"<stdin>\", line 1
    if
      ^
SyntaxError: invalid syntax
>>> Use exit() or Ctrl-D (i.e. EOF) to exit
>>> 
KeyboardInterrupt
>>> 
";
    assert_eq!(shown.replace("\r\n", "\n"), expected);
    assert_eq!(run.status, Some(Status::Exited(0)));
}

/// No operation makes a result that would take the page's memory, and no program keeps as much.
#[test]
fn memory_has_bounds() {
    let refused = [
        "('a' * 10**6).replace('a', 'b' * 10**6)",
        "('b' * 10**6).join(['a'] * 10**6)",
        "('a' * 10**6).translate({97: 'b' * 10**6})",
        "'a'.center(10**10)",
        "'5'.zfill(10**10)",
        "'{:>1000000}'.format(1)",
        "'%1000000d' % 1",
        "f'{1.5:.200000f}'",
        "('%90000d' * 1000) % ((1,) * 1000)",
        "__import__('os').urandom(10**10)",
    ];
    for expression in refused {
        let ran = super::ours(&format!("{expression}\n"), &[], "");
        assert!(ran.err.contains("MemoryError: sandbatch ") && ran.code == 1, "{expression}: {}", ran.err);
    }
    let ran =
        super::ours("kept = []\nwhile True:\n    kept.append(str(len(kept)) + 'a' * 900_000)\n", &[], "");
    assert!(ran.err.contains("at most 12 million objects and 512 MiB"), "{}", ran.err);
    assert_ne!(ran.code, 0);
}
