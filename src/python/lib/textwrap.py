def wrap(text, width=70, initial_indent='', subsequent_indent=''):
    lines, line = [], ''
    for word in text.split():
        indent = subsequent_indent if lines else initial_indent
        if line and len(indent) + len(line) + 1 + len(word) > width:
            lines.append(indent + line)
            line = word
        else:
            line = line + ' ' + word if line else word
    if line:
        lines.append((subsequent_indent if lines else initial_indent) + line)
    return lines
def fill(text, width=70, **kwargs):
    return '\n'.join(wrap(text, width, **kwargs))
def dedent(text):
    lines = text.split('\n')
    margins = [len(l) - len(l.lstrip()) for l in lines if l.strip()]
    n = min(margins) if margins else 0
    return '\n'.join([l[n:] if l.strip() else '' for l in lines])
def indent(text, prefix):
    return ''.join([prefix + l if l.strip() else l for l in text.splitlines(True)])
def shorten(text, width, placeholder=' [...]'):
    text = ' '.join(text.split())
    return text if len(text) <= width else text[:width - len(placeholder)].rsplit(' ', 1)[0] + placeholder
