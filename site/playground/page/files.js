// The files that the program sees: a few in memory, by name, in one directory.
// Go asks for them with the functions of Node's fs (syscall/fs_js.go).

const files = new Map();
const open = new Map();
let next = 3;

const failure = (code) => Object.assign(new Error(code), { code });
const name = (path) => path.replace(/^(\.?\/)+/, "");
const isTop = (path) => ["", "."].includes(name(path));
const decoder = new TextDecoder();

function facts(path) {
  const directory = isTop(path), file = files.get(name(path));
  if (!directory && !file) throw failure("ENOENT");
  return {
    dev: 0, ino: 0, mode: directory ? 0o40755 : 0o100644, nlink: 1, uid: 0, gid: 0, rdev: 0, blksize: 4096, blocks: 0,
    size: directory ? 0 : file.length, atimeMs: 0, mtimeMs: 0, ctimeMs: 0, isDirectory: () => directory,
  };
}

const operations = {
  open(path, flags) {
    const of = fs.constants;
    if (!isTop(path)) {
      if (!files.has(name(path)) && !(flags & of.O_CREAT)) throw failure("ENOENT");
      if (files.has(name(path)) && flags & of.O_EXCL) throw failure("EEXIST");
      if (!files.has(name(path)) || flags & of.O_TRUNC) files.set(name(path), new Uint8Array());
    }
    open.set(next, { path, at: 0 });
    return next++;
  },
  close(fd) { open.delete(fd); },
  read(fd, buffer, offset, length, position) {
    const of = open.get(fd);
    if (!of) return 0; // standard input is empty
    const from = position ?? of.at, part = files.get(name(of.path)).subarray(from, from + length);
    buffer.set(part, offset);
    if (position === null) of.at += part.length;
    return part.length;
  },
  write(fd, buffer, offset, length, position) {
    const part = buffer.subarray(offset, offset + length), of = open.get(fd);
    if (!of) {
      console.error(decoder.decode(part)); // the runtime of Go says why it ends
      return length;
    }
    const before = files.get(name(of.path)), from = position ?? of.at;
    const after = new Uint8Array(Math.max(before.length, from + length));
    after.set(before);
    after.set(part, from);
    files.set(name(of.path), after);
    if (position === null) of.at += length;
    return length;
  },
  stat: facts,
  lstat: facts,
  fstat(fd) { return facts(open.get(fd)?.path ?? ""); },
  readdir(path) {
    if (!isTop(path)) throw failure(files.has(name(path)) ? "ENOTDIR" : "ENOENT");
    return [...files.keys()];
  },
  unlink(path) { if (!files.delete(name(path))) throw failure("ENOENT"); },
  rename(from, to) {
    if (!files.has(name(from))) throw failure("ENOENT");
    files.set(name(to), files.get(name(from)));
    files.delete(name(from));
  },
  fsync() {},
  fchmod() {},
  readlink() { throw failure("EINVAL"); },
};

const missing = ["chmod", "chown", "fchown", "ftruncate", "lchown", "link", "mkdir", "rmdir", "symlink", "truncate", "utimes"];

const fs = { constants: { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 } };
for (const operation of missing) fs[operation] = (...args) => args.at(-1)(failure("ENOSYS"));
for (const [operation, run] of Object.entries(operations)) {
  fs[operation] = (...args) => {
    const done = args.pop();
    let result;
    try {
      result = run(...args);
    } catch (error) {
      if (!error.code) throw error;
      return done(error);
    }
    done(null, result);
  };
}
fs.writeSync = (fd, buffer) => operations.write(fd, buffer, 0, buffer.length, null);
globalThis.fs = fs;
globalThis.process = { getuid: () => -1, getgid: () => -1, geteuid: () => -1, getegid: () => -1, getgroups: () => [], pid: -1, ppid: -1, umask: () => 0, cwd: () => "/", chdir() {} };
globalThis.path = { resolve: (...parts) => parts.join("/") };
