import sys
_ignored, _raised, _seen, _caught = [False], [False], set(), []
def filterwarnings(action, message='', category=Warning, module='', lineno=0, append=False):
    _ignored[0], _raised[0] = action == 'ignore', action == 'error'
def simplefilter(action, category=Warning, lineno=0, append=False):
    filterwarnings(action)
def resetwarnings():
    filterwarnings('default')
class catch_warnings:
    def __init__(self, *, record=False, action=None, **kwargs):
        self._record, self._action = record, action
    def __enter__(self):
        self._old = _ignored[0], _raised[0]
        if self._action:
            filterwarnings(self._action)
        if self._record:
            _caught.append([])
            return _caught[-1]
    def __exit__(self, *exc):
        _ignored[0], _raised[0] = self._old
        if self._record:
            _caught.pop()
class WarningMessage:
    def __init__(self, message, category):
        self.message, self.category = message, category
def warn(message, category=None, stacklevel=1, source=None):
    if isinstance(message, Warning):
        category = type(message)
    category = category or UserWarning
    if _raised[0]:
        raise message if isinstance(message, Warning) else category(message)
    if _ignored[0]:
        return
    if _caught:
        _caught[-1].append(WarningMessage(message if isinstance(message, Warning) else category(message), category))
        return
    if category in (DeprecationWarning, PendingDeprecationWarning, ImportWarning, ResourceWarning):
        return
    text = _warning_text(stacklevel, category.__name__, str(message))
    if text not in _seen:
        _seen.add(text)
        sys.stderr.write(text)
