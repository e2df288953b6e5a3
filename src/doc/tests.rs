//! Pages of every format: their blocks, at which lines, and their contents.

use super::*;
use std::collections::BTreeMap;

/// Files by path.
struct IncludedFiles(BTreeMap<&'static str, &'static str>);

impl PageSource for IncludedFiles {
    fn include(&mut self, _: &str, path: &str) -> Result<(String, String), String> {
        let found = self.0.get(path).ok_or_else(|| format!("{path}: no such file"))?;
        Ok((path.to_owned(), (*found).to_owned()))
    }
}

/// `line: text` for the first line of each block.
fn firsts(path: &str, text: &str) -> Vec<String> {
    let page = read(path, text, &mut NoFiles);
    page.blocks.iter().map(|b| format!("{}: {}", b.lines[0].number, b.lines[0].text)).collect()
}

#[test]
fn markdown_of_several_generators() {
    let text = "\
# Jobs

```bash title=\"job.sh\"
#!/bin/bash
```

1. First:

    ```console
    $ sbatch job.sh
    ```

!!! note \"A note\"
    Look:

    ```
    squeue --me
    ```

    === \"CPU\"
        ```bash
        sinfo
        ```

???+ tip
    ~~~sh
    sacct
    ~~~

:::info
```sh
scancel 1
```
:::

{% highlight bash %}
sprio
{% endhighlight %}

~~~
sstat
~~~
{: .language-bash}

Indented:

    seff 7

> ```sh
> sdiag
> ```
";
    let wanted = [
        "4: #!/bin/bash",
        "10: $ sbatch job.sh",
        "17: squeue --me",
        "22: sinfo",
        "27: sacct",
        "32: scancel 1",
        "37: sprio",
        "41: sstat",
        "47: seff 7",
        "50: sdiag",
    ];
    let found = firsts("a.md", text);
    assert_eq!(found, wanted, "{found:#?}");
    let page = read("a.md", text, &mut NoFiles);
    assert_eq!(page.blocks[0].caption.as_deref(), Some("job.sh"));
    assert_eq!(page.blocks[7].language, "bash");
}

#[test]
fn myst_directives_in_longer_fences() {
    let text = "````{tab-set}\n```{code-block} bash\n:caption: inner.sh\n\nsshare\n```\n````\n";
    let page = read("a.md", text, &mut NoFiles);
    assert_eq!(page.blocks.len(), 1);
    assert_eq!(page.blocks[0].lines.iter().find(|l| !l.text.is_empty()).map(|l| l.number), Some(5));
    assert_eq!(page.blocks[0].caption.as_deref(), Some("inner.sh"));
}

#[test]
fn fences_that_are_indented_too_much() {
    let text =
        "=== \"Serial\"\n\nText at the margin:\n\n    ```sl\n    #!/bin/bash -e\n    #SBATCH -n 1\n    ```\n";
    assert_eq!(firsts("a.md", text), ["6: #!/bin/bash -e"]);
}

#[test]
fn restructured_text() {
    let text = "\
Jobs
====

Submit it::

   sbatch job.sh

.. tabs::

   .. tab:: CPU

      .. code-block:: slurm
         :caption: cpu.sh

         #!/bin/bash
         #SBATCH -n 1

.. a comment
   sbatch not-this.sh

.. prompt:: bash $

   squeue
";
    assert_eq!(firsts("a.rst", text), ["6: sbatch job.sh", "15: #!/bin/bash", "23: squeue"]);
    let mut files = IncludedFiles([("/x/job.sh", "#!/bin/bash\n#SBATCH -p gpu\nhostname\n")].into());
    let page = read("a.rst", ".. literalinclude:: /x/job.sh\n   :lines: 2-\n", &mut files);
    assert_eq!(page.blocks[0].caption.as_deref(), Some("job.sh"));
    assert_eq!((&*page.blocks[0].lines[0].file, page.blocks[0].lines[0].number), ("/x/job.sh", 2));
}

#[test]
fn asciidoc_and_notebooks() {
    let text = ".job.sh\n[source,bash]\n----\n#!/bin/bash\n#SBATCH -n 1\n----\n";
    assert_eq!(firsts("a.adoc", text), ["4: #!/bin/bash"]);
    let text = "{\n \"cells\": [\n  {\n   \"cell_type\": \"markdown\",\n   \"source\": [\n    \"Run:\\n\",\n    \"```bash\\n\",\n    \"sbatch a.sh\\n\",\n    \"```\\n\"\n   ]\n  }\n ]\n}\n";
    assert_eq!(firsts("a.ipynb", text), ["8: sbatch a.sh"]);
    let page = read("a.ipynb", "{\n\n \"cells\": [,]}", &mut NoFiles);
    assert_eq!((page.notes.len(), page.notes[0].line), (1, 3));
}

#[test]
fn includes_cycles_and_files_that_are_missing() {
    let mut files = IncludedFiles(
        [
            ("b.md", "```bash\nsinfo\n```\n--8<-- \"c.md\"\n"),
            ("c.md", "--8<-- \"b.md\"\n"),
            ("job.sh", "#SBATCH -n 2"),
        ]
        .into(),
    );
    let text = "--8<-- \"b.md\"\n\n```bash\n--8<-- \"job.sh\"\n```\n\n--8<-- \"none.md\"\n";
    let page = read("a.md", text, &mut files);
    assert_eq!((&*page.blocks[0].lines[0].file, page.blocks[0].lines[0].number), ("b.md", 2));
    assert_eq!((&*page.blocks[1].lines[0].file, page.blocks[1].lines[0].number), ("job.sh", 1));
    let notes: Vec<_> = page.notes.iter().map(|n| (&*n.file, n.line, n.message.as_str())).collect();
    assert_eq!(notes.len(), 2, "{notes:?}");
    assert!(notes[0].2.contains("cycle") && notes[1].2.contains("none.md") && notes[1].1 == 7, "{notes:?}");
}

#[test]
fn bad_input_is_reported_and_bounded() {
    let long = format!("```bash\nsbatch {}\n```\n", "<".repeat(1 << 20));
    let page = read("a.md", &long, &mut NoFiles);
    assert_eq!((page.notes.len(), page.notes[0].line), (1, 2));
    let _ = pieces(&page.blocks[0]);
    let page = read("a.md", "text\n\n```bash\nsbatch a.sh\n", &mut NoFiles);
    assert_eq!(page.blocks.len(), 1);
    assert!(page.notes[0].message.contains("not closed") && page.notes[0].line == 3, "{:?}", page.notes);
    assert!(read("a.md", "a\0b", &mut NoFiles).notes[0].message.contains("binary"));
    assert!(read("a.md", &"x\n".repeat(5 << 20), &mut NoFiles).notes[0].message.contains("8 MiB"));
    let nested = format!("{}sinfo\n", "```{note}\n".repeat(2000));
    let _ = read("a.md", &nested, &mut NoFiles);
    let deep: String = (0..2000).map(|n| format!("{}!!! note\n", " ".repeat(4 * n))).collect();
    let _ = read("a.md", &deep, &mut NoFiles);
}

fn kinds(language: &str, text: &str) -> Vec<(PieceKind, String, Option<String>)> {
    let page = read("a.md", &format!("Save it as `job.sh`:\n\n```{language}\n{text}```\n"), &mut NoFiles);
    pieces(&page.blocks[0]).into_iter().map(|p| (p.kind, p.text, p.name)).collect()
}

/// A block's language, its text and its pieces.
type PieceCase = (&'static str, &'static str, &'static [(PieceKind, &'static str)]);

#[test]
fn commands_output_and_files() {
    use PieceKind::{Command, File, Output, Prose};
    let shape = |language: &str, text: &str| -> Vec<(PieceKind, String)> {
        kinds(language, text).into_iter().map(|(kind, text, _)| (kind, text)).collect()
    };
    let own = |list: &[(PieceKind, &str)]| -> Vec<(PieceKind, String)> {
        list.iter().map(|(kind, text)| (*kind, (*text).to_owned())).collect()
    };
    let table: &[PieceCase] = &[
        (
            "console",
            "$ sbatch a.sh\nSubmitted batch job 3\n$ squeue\n",
            &[(Command, "sbatch a.sh"), (Output, "Submitted batch job 3"), (Command, "squeue")],
        ),
        (
            "",
            "[user@login01 ~]$ sinfo\nPARTITION AVAIL\n",
            &[(Command, "sinfo"), (Output, "PARTITION AVAIL")],
        ),
        ("", "user@host:~> salloc -n 1 \\\n  -t 5\n", &[(Command, "salloc -n 1 \\\n  -t 5")]),
        ("bash", "{{ site.remote.prompt }} squeue -u me\n", &[(Command, "squeue -u me")]),
        ("bash", "(access)$> srun -p gpu --pty bash\n", &[(Command, "srun -p gpu --pty bash")]),
        ("output", "squeue: error: x\n", &[(Output, "squeue: error: x")]),
        ("python", "import os\n", &[(Prose, "import os")]),
        (
            "bash",
            "sbatch a.sh\nsbatch: error: Batch job submission failed\n",
            &[(Command, "sbatch a.sh"), (Output, "sbatch: error: Batch job submission failed")],
        ),
        ("", "#SBATCH -n 1\n#SBATCH -t 5\n", &[(File, "#SBATCH -n 1\n#SBATCH -t 5")]),
        (
            "",
            "$ cat x/job.sh\n#!/bin/bash\nhostname\n$ sbatch job.sh\n",
            &[(Command, "cat x/job.sh"), (File, "#!/bin/bash\nhostname"), (Command, "sbatch job.sh")],
        ),
        (
            "bash",
            "cat > j.sh <<EOF\n#!/bin/bash\n#SBATCH -n 2\nEOF\nsbatch j.sh\n",
            &[(Command, "cat > j.sh <<EOF"), (File, "#!/bin/bash\n#SBATCH -n 2"), (Command, "sbatch j.sh")],
        ),
        (
            "sh",
            "eval x\ncat > j.sh <<'EOF'\n#!/bin/bash\n#SBATCH -n 2\nEOF\n",
            &[(Command, "eval x"), (Command, "cat > j.sh <<'EOF'"), (File, "#!/bin/bash\n#SBATCH -n 2")],
        ),
        (
            "bash",
            "#!/bin/bash\necho 1\n#!/bin/bash\n#SBATCH -n 1\n",
            &[(File, "#!/bin/bash\necho 1"), (File, "#!/bin/bash\n#SBATCH -n 1")],
        ),
    ];
    for (language, text, wanted) in table {
        assert_eq!(shape(language, text), own(wanted), "{text}");
    }
    assert_eq!(kinds("bash", "#!/bin/bash\n#SBATCH -n 1\n")[0].2.as_deref(), Some("job.sh"));
    assert_eq!(kinds("", "$ cat x/other.sh\n#!/bin/bash\n")[1].2.as_deref(), Some("other.sh"));
}

#[test]
fn marks_that_exclude() {
    let text = "<!-- sandbatch: ignore -->\n```bash\nsinfo\n```\n\n```bash\nsqueue\n```\n";
    let page = read("a.md", text, &mut NoFiles);
    assert_eq!(page.blocks.iter().map(|b| b.ignored).collect::<Vec<_>>(), [true, false]);
    let page = read("a.rst", ".. sandbatch: ignore\n\n.. code-block:: bash\n\n   sinfo\n", &mut NoFiles);
    assert!(page.blocks[0].ignored);
    assert!(read("a.md", "<!-- sandbatch: ignore-file -->\n", &mut NoFiles).ignored);
    assert!(!read("a.md", "Write `sandbatch: ignore-file` somewhere.\n", &mut NoFiles).ignored);
}

#[test]
fn folded_admonitions_with_a_hyphen() {
    let text = "???- question \"An example?\"\n\n    A script:\n\n    ```bash\n    #!/bin/bash\n    #SBATCH -n 1\n    ```\n";
    assert_eq!(firsts("a.md", text), ["6: #!/bin/bash"]);
}

#[test]
fn restructured_text_that_is_indented_unevenly() {
    let text = "Run::\n\n    #!/bin/bash\n    #SBATCH -n 1\n   srun hostname\n";
    let page = read("a.rst", text, &mut NoFiles);
    let lines: Vec<&str> = page.blocks[0].lines.iter().map(|l| l.text.as_str()).collect();
    assert_eq!(lines, ["#!/bin/bash", "#SBATCH -n 1", "srun hostname"]);
}

/// <https://github.com/rcgsheffield/sheffield_hpc/blob/f60c6e60/referenceinfo/imports/scheduler/SLURM/slurm-gpu-node-queries.rst>
#[test]
fn substitutions_in_restructured_text() {
    let block = ".. code-block:: bash\n   :substitutions:\n\n   squeue -p |partitions| -o \"%R\" | wc -l\n";
    let line = |text: &str| read("a.rst", text, &mut NoFiles).blocks[0].lines[0].text.clone();
    let defined = format!(".. |partitions| replace:: gpu,gpu-test\n\n{block}");
    assert_eq!(line(&defined), "squeue -p gpu,gpu-test -o \"%R\" | wc -l");
    assert_eq!(line(block), "squeue -p <partitions> -o \"%R\" | wc -l");
}
