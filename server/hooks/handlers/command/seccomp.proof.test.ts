/** The filter of system calls, run as the kernel runs it: each call on each processor, by its number and arguments. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { filterBytes, filteringCommand, filterProgram } from "./spawner/seccomp.mjs";
import { ABSENT, FORBIDDEN, LIMITED } from "./spawner/syscalls.mjs";

const ARCHITECTURES = { x64: 0xc000003e, arm64: 0xc00000b7 } as const;
type Processor = keyof typeof ARCHITECTURES;
const PROCESSORS = ["x64", "arm64"] as const;
const [KILL, ALLOW, ERRNO] = [0x80000000, 0x7fff0000, 0x00050000];
const NOT_PERMITTED = ERRNO | 1;
const NO_SUCH_CALL = ERRNO | 38;

interface Call {
  readonly number: number;
  readonly args?: readonly number[];
  readonly architecture?: number;
}

/** The kernel's answer, from the bytes: classic BPF with the five instructions that the filter has. */
function answerOf(processor: Processor, { number, args = [], architecture = ARCHITECTURES[processor] }: Call): number {
  const bytes = Buffer.from(filterBytes(processor) ?? []);
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  for (const [at, value] of args.entries()) data.writeUInt32LE(value >>> 0, 16 + 8 * at);
  let accumulator = 0;
  for (let at = 0; at * 8 < bytes.length; at += 1) {
    const [code, ifTrue, ifFalse] = [
      bytes.readUInt16LE(at * 8),
      bytes.readUInt8(at * 8 + 2),
      bytes.readUInt8(at * 8 + 3),
    ];
    const value = bytes.readUInt32LE(at * 8 + 4);
    if (code === 0x06) return value;
    if (code === 0x20) accumulator = data.readUInt32LE(value);
    else if (code === 0x15) at += accumulator === value ? ifTrue : ifFalse;
    else if (code === 0x35) at += accumulator >= value ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & value) !== 0 ? ifTrue : ifFalse;
    else throw new Error(`instruction ${code}`);
  }
  throw new Error("the program has no end");
}

const numbersOn = (processor: Processor, calls: Readonly<Record<string, readonly [number, number | null]>>) =>
  Object.entries(calls).flatMap(([name, [x64, arm64]]) => {
    const number = processor === "x64" ? x64 : arm64;
    return number === null ? [] : [[name, number] as const];
  });
const limitedOn = (processor: Processor) => Object.fromEntries(numbersOn(processor, LIMITED));

describe.each(PROCESSORS)("on %s", (processor) => {
  it.each(numbersOn(processor, FORBIDDEN))("%s is not permitted", (_name, number) => {
    expect(answerOf(processor, { number })).toBe(NOT_PERMITTED);
  });

  it.each(numbersOn(processor, ABSENT))("%s is not there", (_name, number) => {
    expect(answerOf(processor, { number })).toBe(NO_SUCH_CALL);
  });

  it("the calls of another architecture end the hook", () => {
    for (const architecture of [0x40000003, 0x40000028, 0xc000003e, 0xc00000b7, 0, 0xc00000f3])
      if (architecture !== ARCHITECTURES[processor])
        expect(answerOf(processor, { number: 1, architecture })).toBe(KILL);
  });

  it.each([
    ["clone", [0x10000000], NOT_PERMITTED],
    ["clone", [0x10000000 | 17], NOT_PERMITTED],
    ["clone", [0x00020000 | 17], NOT_PERMITTED],
    ["clone", [0x40000000 | 17], NOT_PERMITTED],
    ["clone", [0x3d0f00], ALLOW],
    ["clone", [0x01200011], ALLOW],
    ["clone", [17], ALLOW],
    ["unshare", [0x10000000], NOT_PERMITTED],
    ["unshare", [0x80], NOT_PERMITTED],
    ["unshare", [0x400], ALLOW],
    ["personality", [0xffffffff], ALLOW],
    ["personality", [0], ALLOW],
    ["personality", [0x0040000], ALLOW],
    ["personality", [0x0400000], NOT_PERMITTED],
    ["personality", [8], NOT_PERMITTED],
    ["ioctl", [0, 0x5412], NOT_PERMITTED],
    ["ioctl", [0, 0x541c], NOT_PERMITTED],
    ["ioctl", [0, 0x5401], ALLOW],
    ["socket", [1], ALLOW],
    ["socket", [2], ALLOW],
    ["socket", [10], ALLOW],
    ["socket", [16], ALLOW],
    ["socket", [17], ERRNO | 97],
    ["socket", [38], ERRNO | 97],
    ["socket", [40], ERRNO | 97],
  ])("%s with %j is answered %d", (name, args, answer) => {
    expect(answerOf(processor, { number: limitedOn(processor)[name] ?? -1, args })).toBe(answer);
  });

  it("every other call is allowed", () => {
    const named = new Set(
      [FORBIDDEN, ABSENT, LIMITED].flatMap((calls) => numbersOn(processor, calls)).map(([, number]) => number),
    );
    const others = Array.from({ length: 470 }, (_, number) => number).filter((number) => !named.has(number));
    expect(others.filter((number) => answerOf(processor, { number }) !== ALLOW)).toEqual([]);
  });

  it("each jump ends within the program", () => {
    const program = filterProgram(processor);
    const beyond = program.filter(([, ifTrue, ifFalse], at) => at + 1 + Math.max(ifTrue, ifFalse) >= program.length);
    expect(beyond.filter(([code]) => code !== 0x06)).toEqual([]);
    expect(program.length).toBeLessThan(4_096);
  });
});

it("the numbers of x32 are not there on x64", () => {
  for (const number of [0x40000000, 0x40000000 + 101, 0xffffffff])
    expect(answerOf("x64", { number })).toBe(NO_SUCH_CALL);
});

it("there is none for another processor", () => {
  expect(filterBytes("riscv64")).toBeUndefined();
  expect(filteringCommand(["/nowhere"])).toBeUndefined();
});

it("the kernel takes it by the command too, and the command keeps its arguments and exit code", () => {
  const command = filteringCommand(["/usr/bin"])?.([
    "/bin/sh",
    "-c",
    'grep Seccomp: /proc/self/status; echo "$1"',
    "sh",
    "a b",
  ]);
  const [file = "", ...args] = command ?? [];
  expect(execFileSync(file, args, { encoding: "utf8" })).toBe("Seccomp:\t2\na b\n");
});
