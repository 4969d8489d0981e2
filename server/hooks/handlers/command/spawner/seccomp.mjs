// @ts-check
/**
 * The filter of system calls that hooks in a sandbox run under, as the kernel reads it: a program of classic BPF (seccomp(2)).
 * It is no list of what is allowed, because a hook may be any program; it takes what no hook needs.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { ABSENT, FORBIDDEN, LIMITED } from "./syscalls.mjs";

/** @import { Processor } from "./syscalls.mjs" */

/** The kernel's names of the processors, the one architecture each that a hook's programs may be for. */
const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 };
/** On x64, numbers from here on are those of x32, another way to the same calls. */
const X32 = 0x40000000;

const LOAD = 0x20;
const IF_EQUAL = 0x15;
const IF_AT_LEAST = 0x35;
const IF_ANY_BIT = 0x45;
const RETURN = 0x06;
const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const refuse = (/** @type {number} */ errno) => 0x00050000 | errno;
const NOT_PERMITTED = refuse(1);
const NO_SUCH_CALL = refuse(38);
const NO_SUCH_FAMILY = refuse(97);
const NUMBER_AT = 0;
const ARCHITECTURE_AT = 4;
/** The lower half of an argument: the kernel looks at no more of those that are tested. */
const argumentAt = (/** @type {number} */ index) => 16 + 8 * index;

/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET; a clock's namespace is made by unshare alone. */
const NAMESPACES = 0x7e020000;
const CLOCK_NAMESPACE = 0x80;
/** Linux as it is, the same without random addresses, and the question which one it is. */
const PERSONALITIES = [0, 0x0040000, 0xffffffff];
/** TIOCSTI and TIOCLINUX put words into a terminal. */
const TERMINAL_INPUT = [0x5412, 0x541c];
/** Of this machine, of the internet, and the kernel's answers about networks. */
const SOCKET_FAMILIES = [1, 2, 10, 16];

/** @typedef {readonly [code: number, ifTrue: number, ifFalse: number, value: number]} Instruction */

/** @type {(value: number) => Instruction} */
const give = (value) => [RETURN, 0, 0, value];
/** @type {(at: number) => Instruction} */
const load = (at) => [LOAD, 0, 0, at];

/**
 * For one call: what follows, which always ends the program.
 * @param {number} number
 * @param {readonly Instruction[]} then
 * @returns {readonly Instruction[]}
 */
const ofCall = (number, then) => [[IF_EQUAL, 0, then.length, number], ...then];

/** @param {number} index @param {number} mask @returns {readonly Instruction[]} */
const withoutBits = (index, mask) => [
  load(argumentAt(index)),
  [IF_ANY_BIT, 0, 1, mask],
  give(NOT_PERMITTED),
  give(ALLOW),
];

/** @param {number} index @param {readonly number[]} values @param {number} otherwise @param {number} found @returns {readonly Instruction[]} */
const byValue = (index, values, found, otherwise) => [
  load(argumentAt(index)),
  ...values.map((value, at) => /** @type {Instruction} */ ([IF_EQUAL, values.length - at, 0, value])),
  give(otherwise),
  give(found),
];

/** @param {Processor} processor @returns {readonly Instruction[]} */
export function filterProgram(processor) {
  const numberOf = (/** @type {readonly [number, number | null]} */ [x64, arm64]) =>
    processor === "x64" ? x64 : arm64;
  const refused = (/** @type {typeof ABSENT} */ calls, /** @type {number} */ answer) =>
    Object.values(calls)
      .map(numberOf)
      .flatMap((number) => (number === null ? [] : ofCall(number, [give(answer)])));
  const limited = (/** @type {keyof typeof LIMITED} */ name, /** @type {readonly Instruction[]} */ then) =>
    ofCall(numberOf(LIMITED[name]) ?? -1, then);
  return [
    load(ARCHITECTURE_AT),
    [IF_EQUAL, 1, 0, ARCHITECTURES[processor]],
    give(KILL),
    load(NUMBER_AT),
    ...(processor === "x64" ? /** @type {const} */ ([[IF_AT_LEAST, 0, 1, X32], give(NO_SUCH_CALL)]) : []),
    ...refused(ABSENT, NO_SUCH_CALL),
    ...refused(FORBIDDEN, NOT_PERMITTED),
    ...limited("clone", withoutBits(0, NAMESPACES)),
    ...limited("unshare", withoutBits(0, NAMESPACES | CLOCK_NAMESPACE)),
    ...limited("personality", byValue(0, PERSONALITIES, ALLOW, NOT_PERMITTED)),
    ...limited("ioctl", byValue(1, TERMINAL_INPUT, NOT_PERMITTED, ALLOW)),
    ...limited("socket", byValue(0, SOCKET_FAMILIES, ALLOW, NO_SUCH_FAMILY)),
    give(ALLOW),
  ];
}

/**
 * The filter in the kernel's bytes; undefined on a processor that there is none for.
 * @param {string} [processor]
 * @returns {Uint8Array | undefined}
 */
export function filterBytes(processor = process.arch) {
  if (processor !== "x64" && processor !== "arm64") return undefined;
  const program = filterProgram(processor);
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, [code, ifTrue, ifFalse, value]] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(ifTrue, at * 8 + 2);
    bytes.writeUInt8(ifFalse, at * 8 + 3);
    bytes.writeUInt32LE(value >>> 0, at * 8 + 4);
  }
  return bytes;
}

const PRCTL = { x64: 157, arm64: 167 };
/** prctl(PR_SET_NO_NEW_PRIVS), prctl(PR_SET_SECCOMP), and the command. */
const INSTALL = `
my ($call, $filter) = (shift() + 0, pack("H*", shift));
my $program = pack("Sx6P", length($filter) / 8, $filter);
syscall($call, 38, 1, 0, 0, 0) == 0 && syscall($call, 22, 2, $program) == 0 or die "the filter was refused: $!\\n";
exec { $ARGV[0] } @ARGV or die "$ARGV[0]: $!\\n";
`;

/**
 * Puts a command under the filter where bubblewrap does not: by perl, which Debian's and Ubuntu's base systems hold. Undefined
 * without it.
 * @param {readonly string[]} toolDirs
 * @returns {((command: readonly string[]) => readonly string[]) | undefined}
 */
export function filteringCommand(toolDirs) {
  const perl = toolDirs.map((dir) => join(dir, "perl")).find((file) => existsSync(file));
  const bytes = filterBytes();
  const { arch } = process;
  if (perl === undefined || bytes === undefined || (arch !== "x64" && arch !== "arm64")) return undefined;
  const hex = Buffer.from(bytes).toString("hex");
  return (command) => [perl, "-e", INSTALL, String(PRCTL[arch]), hex, ...command];
}
