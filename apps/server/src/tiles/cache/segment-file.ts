import { constants, open } from 'node:fs/promises';

const appends = constants.O_WRONLY | constants.O_APPEND;

/** Appends bytes to a file that ends at `end`. Throws for any other length: deleted files are not created again, and changes by others stay. */
export async function appendAt(path: string, end: number, bytes: Buffer): Promise<void> {
  const handle = await open(path, end ? appends : 'ax', 0o600);
  try {
    const { size } = await handle.stat();
    if (size !== end) throw new Error('another process changed the file of tiles');
    await handle.appendFile(bytes);
  } finally {
    await handle.close();
  }
}

/** Reads at most `length` bytes of a file from `start`. */
export async function bytesAt(path: string, start: number, length: number): Promise<Buffer> {
  const handle = await open(path);
  try {
    const { bytesRead, buffer } = await handle.read(Buffer.alloc(length), 0, length, start);
    return buffer.subarray(0, bytesRead);
  } finally {
    await handle.close();
  }
}
