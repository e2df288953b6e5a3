//! Error numbers of Unix calls, with the C library's texts.

use serde::{Deserialize, Serialize};
use std::fmt;

macro_rules! errnos {
    ($($(#[$doc:meta])* $name:ident = $text:literal;)*) => {
        /// Why a call failed.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
        pub enum Errno { $($(#[$doc])* $name,)* }
        impl fmt::Display for Errno {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(match self { $(Self::$name => $text,)* })
            }
        }
    };
}

errnos! {
    /// Not the owner.
    EPERM = "Operation not permitted";
    /// No such file.
    ENOENT = "No such file or directory";
    /// No such process.
    ESRCH = "No such process";
    /// Would block; wait and try again.
    EAGAIN = "Resource temporarily unavailable";
    /// Not an open descriptor.
    EBADF = "Bad file descriptor";
    /// No child.
    ECHILD = "No child processes";
    /// Permission denied.
    EACCES = "Permission denied";
    /// It exists.
    EEXIST = "File exists";
    /// Not a directory.
    ENOTDIR = "Not a directory";
    /// A directory.
    EISDIR = "Is a directory";
    /// Invalid argument.
    EINVAL = "Invalid argument";
    /// Too many open files.
    EMFILE = "Too many open files";
    /// The file would be larger than the simulation allows.
    EFBIG = "File too large";
    /// The simulated disk is full.
    ENOSPC = "No space left on device";
    /// The pipe has no reader.
    EPIPE = "Broken pipe";
    /// The name is too long.
    ENAMETOOLONG = "File name too long";
    /// The directory has entries.
    ENOTEMPTY = "Directory not empty";
    /// Too many symbolic links.
    ELOOP = "Too many levels of symbolic links";
    /// Not an executable format.
    ENOEXEC = "Exec format error";
    /// The file is not a terminal.
    ENOTTY = "Inappropriate ioctl for device";
    /// In use by the system.
    EBUSY = "Device or resource busy";
    /// The device does not exist.
    ENXIO = "No such device or address";
    /// The terminal was hung up.
    EIO = "Input/output error";
    /// The user's quota is used up.
    EDQUOT = "Disk quota exceeded";
    /// The port is in use.
    EADDRINUSE = "Address already in use";
    /// Across file systems.
    EXDEV = "Invalid cross-device link";
    /// The user's processes need more memory than a user may have.
    ENOMEM = "Cannot allocate memory";
    /// Arguments and environment are too long for a new program.
    E2BIG = "Argument list too long";
}
