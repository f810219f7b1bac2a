import { expect, test } from 'vitest';
import { formPieces } from './form-pieces.ts';
import { linesOf } from './lines.ts';

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** A form as another implementation writes it. */
const encoded = async (order: readonly ('file' | 'purpose')[], content: string) => {
  const form = new FormData();
  for (const name of order) {
    if (name === 'file') form.append('file', new Blob([content]), 'work "1".jsonl');
    else form.append('purpose', 'batch');
  }
  const response = new Response(form);
  const contentType = response.headers.get('content-type') ?? '';
  return { contentType, bytes: Buffer.from(await response.arrayBuffer()) };
};

const read = async (bytes: Buffer, contentType: string, size: number) => {
  const found: Record<string, string> = {};
  for await (const piece of formPieces(inPieces(bytes, size), contentType)) {
    const name = `${piece.name}/${piece.fileName ?? ''}`;
    found[name] = (found[name] ?? '') + piece.bytes.toString('latin1');
  }
  return found;
};

const content = 'one\r\n--almost\r\n\r\n--------\r\ntwo\n';

test.each([1, 2, 3, 7, 64, 100_000])(
  'a form is taken apart in pieces of %i bytes',
  async (size) => {
    for (const order of [['file', 'purpose'] as const, ['purpose', 'file'] as const]) {
      const { bytes, contentType } = await encoded(order, content);
      const found = await read(bytes, contentType, size);
      expect(found).toEqual({ 'file/work "1".jsonl': content, 'purpose/': 'batch' });
    }
  },
);

test('a form that breaks off, or is none, is refused', async () => {
  const { bytes, contentType } = await encoded(['file'], content);
  await expect(read(bytes.subarray(0, -8), contentType, 16)).rejects.toThrow('multipart form');
  await expect(read(bytes, 'application/json', 16)).rejects.toThrow('multipart form');
  const endless = Buffer.concat([bytes.subarray(0, 60), Buffer.alloc(20_000, 'x')]);
  await expect(read(endless, contentType, 512)).rejects.toThrow('multipart form');
});

test.each([1, 5, 1_000])(
  'lines are numbered by their place, in pieces of %i bytes',
  async (size) => {
    const found: string[] = [];
    const source = inPieces(Buffer.from('one\r\n\n  \ntwo\nthree'), size);
    for await (const { number, bytes } of linesOf(source, 8)) {
      found.push(`${number} ${bytes.toString('utf8').trim()}`);
    }
    expect(found).toEqual(['1 one', '4 two', '5 three']);
  },
);

test('a longer line than the limit is refused with its number, before it is whole', async () => {
  const source = inPieces(Buffer.from(`short\n${'x'.repeat(50)}`), 4);
  const reading = async () => {
    for await (const line of linesOf(source, 16)) expect(line.number).toBe(1);
  };
  await expect(reading()).rejects.toThrow('Line 2 is longer than 16 bytes');
});
