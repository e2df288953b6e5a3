project = "Cluster guide"
html_theme = "alabaster"
# Where your copy of the page stands. `try_it` puts a button behind each code block of a shell.
html_js_files = [
    ("https://example.org/sandbatch/embed.js?try_it&site=lab&lang=en&height=360", {"defer": "defer"}),
]
