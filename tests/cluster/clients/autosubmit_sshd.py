"""An ssh server on loopback whose sessions have the environment of this process: the login node of the cluster.

Writes the client's key to `key` and its configuration to `.ssh/config` in the directory that is the argument.
"""

import asyncio
import os
import pathlib
import sys

import asyncssh


async def run(process):
    """Runs a command, as sshd does: by a shell, in the home directory."""
    shell = await asyncio.create_subprocess_exec(
        "bash", "-c", process.command or "true", cwd=os.environ["HOME"],
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
    )
    out, err = await shell.communicate()
    process.stdout.write(out)
    process.stderr.write(err)
    process.exit(shell.returncode)


async def main(home):
    home = pathlib.Path(home)
    key = asyncssh.generate_private_key("ssh-ed25519")
    key.write_private_key(home / "key")
    (home / "key").chmod(0o600)
    allowed = asyncssh.import_authorized_keys(key.export_public_key().decode())
    # paramiko's ignore messages lack their length. OpenSSH does not read them; asyncssh does, except under this name.
    server = await asyncssh.listen(
        "127.0.0.1", 0, server_host_keys=[asyncssh.generate_private_key("ssh-ed25519")], server_version="Cisco",
        authorized_client_keys=allowed, process_factory=run, sftp_factory=True, encoding=None,
    )
    lines = f"Host login\n  HostName 127.0.0.1\n  Port {server.get_port()}\n  IdentityFile {home}/key\n"
    (home / ".ssh").mkdir(mode=0o700)
    (home / ".ssh/config").write_text(lines)
    await server.wait_closed()


asyncio.run(main(sys.argv[1]))
