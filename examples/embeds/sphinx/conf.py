project = "Cluster guide"
html_theme = "alabaster"
# The URL of your copy of the page. `try_it` adds a button after each shell code block.
html_js_files = [
    ("https://example.org/sandbatch/embed.js?try_it&site=lab&lang=en&height=360", {"defer": "defer"}),
]
