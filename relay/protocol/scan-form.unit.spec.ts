import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fieldBytes, fieldText, formDataOf, isForm, scanForm } from './scan-form.ts';
import { splice } from './splice.ts';

const type = 'multipart/form-data; boundary=edge';
const part = (head: string, value: string): string => `--edge\r\n${head}\r\n\r\n${value}\r\n`;
const model = 'Content-Disposition: form-data; name="model"';
const formOf = (...parts: readonly string[]): Buffer =>
  Buffer.from(`${parts.join('')}--edge--\r\n`);

const encoded = async (form: FormData): Promise<readonly [Buffer, string]> => {
  const whole = new Response(form);
  const contentType = whole.headers.get('content-type') ?? '';
  return [Buffer.from(await whole.arrayBuffer()), contentType];
};

describe('a form', () => {
  test('is read as its sender wrote it, whatever its files hold', async () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 40 });
    const parts = fc.array(fc.tuple(text, fc.uint8Array({ maxLength: 200 })), { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(parts, async (list) => {
        const form = new FormData();
        for (const [value, bytes] of list) {
          form.append('field', value);
          form.append('file', new Blob([new Uint8Array(bytes)]), 'a "name".bin');
        }
        const [body, contentType] = await encoded(form);
        const scan = scanForm(body, contentType);
        if (list.length === 0) return;
        if (scan === null) throw new Error('no form');
        const again = formDataOf(body, scan);
        const sizes = again.getAll('file').map((file) => (file as File).size);
        expect(sizes).toEqual(list.map(([, bytes]) => bytes.length));
        expect(again.getAll('field')).toEqual(form.getAll('field').map(withLineEnds));
      }),
      { numRuns: 50 },
    );
  });

  test('takes one more field in front of the others', () => {
    const body = formOf(part(model, 'whisper-1'));
    const scan = scanForm(body, type);
    if (scan === null) throw new Error('no form');
    const text = fieldBytes(scan, 'language', 'en');
    const longer = splice(body, [{ start: scan.first, end: scan.first, text }]);
    const again = scanForm(longer, type);
    expect(again?.parts.map(({ name }) => name)).toEqual(['language', 'model']);
    expect(again === null ? '' : fieldText(longer, again, 'model')).toBe('whisper-1');
  });

  test('reads names with and without quotes, in letters of any case, behind a preamble', () => {
    const plain = part('content-disposition: form-data; name=model', 'whisper-1');
    const body = Buffer.concat([Buffer.from('hello\r\n'), formOf(plain)]);
    const scan = scanForm(body, 'Multipart/Form-Data; Boundary="edge"');
    expect(scan === null ? '' : fieldText(body, scan, 'model')).toBe('whisper-1');
    expect([isForm('Multipart/Form-Data; boundary=x'), isForm('application/json')]).toEqual([
      true,
      false,
    ]);
  });

  test.each([
    ['has no boundary', formOf(part(model, 'x')), 'multipart/form-data'],
    ['has two boundaries', formOf(part(model, 'x')), `${type}; boundary=other`],
    ['never ends', Buffer.from(part(model, 'x')), type],
    ['has a part without a name', formOf(part('Content-Disposition: form-data', 'x')), type],
    ['has a part without a head', Buffer.from('--edge\r\nx\r\n--edge--'), type],
    ['names a part twice', formOf(part(`${model}\r\n${model.replace('model', 'n')}`, 'x')), type],
    [
      'names a part in another way',
      formOf(part("Content-Disposition: form-data; name*=utf-8''model", 'x')),
      type,
    ],
    ['has a head without end', formOf(part(`${model}; x="${'y'.repeat(9_000)}"`, 'x')), type],
    ['has hundreds of parts', formOf(...Array(200).fill(part(model, 'x'))), type],
  ])('is none when it %s', (_name, body, contentType) => {
    expect(scanForm(body, contentType)).toBeNull();
  });
});

/** Line ends inside fields are written as forms write them. */
const withLineEnds = (value: FormDataEntryValue): string =>
  String(value).replace(/\r\n|\r|\n/g, '\r\n');
