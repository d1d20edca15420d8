import {
  encoded,
  importsOf,
  kinds,
  type ModuleSection,
  moduleSections,
  Reader,
  sectionIds,
  withSection,
} from './binary.js';

const flag = 'GOT.mem.InterruptPending';
const handler = 'env.ProcessInterrupts';

/** https://webassembly.github.io/spec/core/binary/instructions.html */
const opcodes = {
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  end: 0x0b,
  call: 0x10,
  callIndirect: 0x11,
  globalGet: 0x23,
  i32Load: 0x28,
} as const;
const noValue = 0x40;

/**
 * Changes an extension of PostgreSQL so that functions can be cancelled in each of their loops, as C code is by
 * `CHECK_FOR_INTERRUPTS`. `isChosen` receives the exported names of functions. Throws when the module has other parts than expected.
 */
export function withInterruptsInLoops(bytes: Uint8Array, isChosen: (name: string) => boolean): Buffer {
  const sections = new Map([...moduleSections(bytes)].map((section) => [section.id, section]));
  const sectionOf = (name: keyof typeof sectionIds): ModuleSection => {
    const section = sections.get(sectionIds[name]);
    if (!section) throw new Error(`a module without ${name}`);
    return section;
  };
  const imports = [...importsOf(bytes, sectionOf('imports'))];
  const namesOf = (kind: number): string[] =>
    imports.filter((one) => one.kind === kind).map(({ name }) => name);
  const functions = namesOf(kinds.function);
  const check = checkOf(namesOf(kinds.global).indexOf(flag), functions.indexOf(handler));
  const chosen = chosenFunctions(bytes, sectionOf('exports'), isChosen);
  const code = sectionOf('code');
  const reader = new Reader(bytes, code.start);
  const count = reader.number();
  const parts: Uint8Array[] = [bytes.subarray(code.start, reader.at)];
  for (let index = functions.length; index < functions.length + count; index++) {
    const start = reader.at;
    const size = reader.number();
    const end = reader.at + size;
    if (chosen.has(index)) {
      const body = bodyWithChecks(bytes, reader.at, end, check);
      parts.push(Uint8Array.from(encoded(body.length)), body);
    } else parts.push(bytes.subarray(start, end));
    reader.at = end;
  }
  return withSection(bytes, code, Buffer.concat(parts));
}

/** `if (InterruptPending) ProcessInterrupts();` */
function checkOf(flagGlobal: number, handlerFunction: number): Uint8Array {
  if (flagGlobal < 0 || handlerFunction < 0) throw new Error(`a module without ${flag} or ${handler}`);
  return Uint8Array.from([
    ...[opcodes.globalGet, ...encoded(flagGlobal)],
    ...[opcodes.i32Load, 2, 0],
    ...[opcodes.if, noValue],
    ...[opcodes.call, ...encoded(handlerFunction)],
    opcodes.end,
  ]);
}

/** Indexes of the functions of which all names are chosen: equal ones share their code. */
function chosenFunctions(
  bytes: Uint8Array,
  section: ModuleSection,
  isChosen: (name: string) => boolean,
): Set<number> {
  const reader = new Reader(bytes, section.start);
  const chosen = new Map<number, boolean>();
  for (let left = reader.number(); left > 0; left--) {
    const name = reader.text();
    const kind = reader.byte();
    const index = reader.number();
    if (kind === kinds.function) chosen.set(index, (chosen.get(index) ?? true) && isChosen(name));
  }
  return new Set([...chosen].filter(([, is]) => is).map(([index]) => index));
}

function bodyWithChecks(bytes: Uint8Array, start: number, end: number, check: Uint8Array): Buffer {
  const parts: Uint8Array[] = [];
  let copied = start;
  for (const at of longLoops(new Reader(bytes, start), end)) {
    parts.push(bytes.subarray(copied, at), check);
    copied = at;
  }
  return Buffer.concat([...parts, bytes.subarray(copied, end)]);
}

/** Offsets behind the beginning of the loops of a function that contain a call or another loop: others are short. */
function longLoops(reader: Reader, end: number): number[] {
  // Groups of local variables: a count and a type.
  for (let left = reader.number(); left > 0; left--) {
    reader.number();
    reader.skip(1);
  }
  const found: number[] = [];
  const blocks: { at: number; isLoop: boolean; isLong: boolean }[] = [];
  while (reader.at < end) {
    const opcode = reader.byte();
    skipOperands(reader, opcode);
    if (opcode === opcodes.loop || opcode === opcodes.block || opcode === opcodes.if) {
      blocks.push({ at: reader.at, isLoop: opcode === opcodes.loop, isLong: false });
    } else if (opcode === opcodes.call || opcode === opcodes.callIndirect) {
      const inner = blocks.at(-1);
      if (inner) inner.isLong = true;
    } else if (opcode === opcodes.end) {
      const block = blocks.pop();
      const outer = blocks.at(-1);
      if (block?.isLoop && block.isLong) found.push(block.at);
      if (outer) outer.isLong ||= block!.isLong || block!.isLoop;
    }
  }
  if (reader.at !== end || blocks.length)
    throw new Error('a function of WebAssembly with an unknown instruction');
  return found.sort((one, other) => one - other);
}

/** Moves behind the operands of an instruction. */
function skipOperands(reader: Reader, opcode: number): void {
  const operands = operandsByOpcode[opcode];
  if (operands === undefined) throw new Error(`the unknown instruction ${opcode} of WebAssembly`);
  if (operands === 'list') for (let left = reader.number() + 1; left > 0; left--) reader.number();
  else if (operands.bytes) reader.skip(operands.bytes);
  else for (let left = operands.numbers ?? 0; left > 0; left--) reader.number();
}

/** Operands by ranges of opcodes, of WebAssembly 1.0 with sign extension. */
const ranges: readonly [from: number, to: number, operands: Operands][] = [
  [0x00, 0x01, {}],
  [0x02, 0x04, { numbers: 1 }],
  [0x05, 0x05, {}],
  [0x0b, 0x0b, {}],
  [0x0c, 0x0d, { numbers: 1 }],
  [0x0e, 0x0e, 'list'],
  [0x0f, 0x0f, {}],
  [0x10, 0x10, { numbers: 1 }],
  [0x11, 0x11, { numbers: 2 }],
  [0x1a, 0x1b, {}],
  [0x20, 0x24, { numbers: 1 }],
  [0x28, 0x3e, { numbers: 2 }],
  [0x3f, 0x42, { numbers: 1 }],
  [0x43, 0x43, { bytes: 4 }],
  [0x44, 0x44, { bytes: 8 }],
  [0x45, 0xc4, {}],
];

/** `list`: a count, as many numbers, and one more. */
type Operands = { numbers?: number; bytes?: number } | 'list';

const operandsByOpcode = Array.from(
  { length: 256 },
  (_, opcode) => ranges.find(([from, to]) => opcode >= from && opcode <= to)?.[2],
);
