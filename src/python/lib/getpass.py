def getpass(prompt='Password: '):
    raise NotImplementedError('sandbatch does not simulate getpass.getpass')
