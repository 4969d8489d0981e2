// @ts-check
/**
 * The system calls that no hook needs, by their numbers on each processor (linux/include/uapi/asm-generic/unistd.h and
 * arch/x86/entry/syscalls/syscall_64.tbl). They are the ways to the kernel's rarely walked parts, and out of a sandbox.
 */

/** @typedef {"x64" | "arm64"} Processor */
/**
 * Numbers on x64 and arm64; null where the processor has no such call.
 * @typedef {readonly [x64: number, arm64: number | null]} Numbers
 */

/** Not there at all: programs that would use them have another way. @type {Readonly<Record<string, Numbers>>} */
export const ABSENT = {
  io_uring_setup: [425, 425],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  // Its flags are in memory, where no filter can read them. The C libraries take `clone` instead.
  clone3: [435, 435],
};

/** Not permitted. @type {Readonly<Record<string, Numbers>>} */
export const FORBIDDEN = {
  userfaultfd: [323, 282],
  add_key: [248, 217],
  request_key: [249, 218],
  keyctl: [250, 219],
  bpf: [321, 280],
  perf_event_open: [298, 241],
  ptrace: [101, 117],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  kcmp: [312, 272],
  pidfd_getfd: [438, 438],
  mount: [165, 40],
  umount2: [166, 39],
  pivot_root: [155, 41],
  chroot: [161, 51],
  move_mount: [429, 429],
  open_tree: [428, 428],
  fsopen: [430, 430],
  fsconfig: [431, 431],
  fsmount: [432, 432],
  fspick: [433, 433],
  mount_setattr: [442, 442],
  setns: [308, 268],
  kexec_load: [246, 104],
  kexec_file_load: [320, 294],
  init_module: [175, 105],
  finit_module: [313, 273],
  delete_module: [176, 106],
  create_module: [174, null],
  query_module: [178, null],
  get_kernel_syms: [177, null],
  open_by_handle_at: [304, 265],
  name_to_handle_at: [303, 264],
  acct: [163, 89],
  swapon: [167, 224],
  swapoff: [168, 225],
  reboot: [169, 142],
  sethostname: [170, 161],
  setdomainname: [171, 162],
  iopl: [172, null],
  ioperm: [173, null],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  nfsservctl: [180, 42],
  lookup_dcookie: [212, 18],
  vhangup: [153, 58],
  modify_ldt: [154, null],
  uselib: [134, null],
  _sysctl: [156, null],
  settimeofday: [164, 170],
  clock_settime: [227, 112],
  clock_adjtime: [305, 266],
  adjtimex: [159, 171],
  syslog: [103, 116],
  fanotify_init: [300, 262],
  fanotify_mark: [301, 263],
  move_pages: [279, 239],
  migrate_pages: [256, 238],
};

/** Permitted with some arguments. @type {Readonly<Record<"clone" | "unshare" | "personality" | "ioctl" | "socket", Numbers>>} */
export const LIMITED = {
  clone: [56, 220],
  unshare: [272, 97],
  personality: [135, 92],
  ioctl: [16, 29],
  socket: [41, 198],
};
