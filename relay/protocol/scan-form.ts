/** One part of a multipart form: its value extends from `start` to `end` (exclusive). */
export type FormPart = Readonly<{
  name: string;
  /** null: a plain field. */
  fileName: string | null;
  contentType: string;
  start: number;
  end: number;
}>;

export type FormScan = Readonly<{
  boundary: string;
  parts: readonly FormPart[];
  /** Offset of the first delimiter: more parts may precede it. */
  first: number;
}>;

const maxParts = 128;
const maxHeadBytes = 8_192;
const lineEnd = '\r\n';

/** null as well for two of them: the provider might read the other one. */
export const boundaryOf = (contentType: string): string | null => {
  if (contentType.split(/boundary=/i).length !== 2) return null;
  const [, quoted, plain] = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType) ?? [];
  return quoted ?? plain ?? null;
};

const unescaped = (text: string): string => text.replace(/%22/g, '"').replace(/\\(.)/g, '$1');

const parameter = (disposition: string, name: string): string | null => {
  const pattern = new RegExp(`;\\s*${name}=(?:"((?:[^"\\\\]|\\\\.)*)"|([^;\\s]*))`, 'i');
  const [, quoted, plain] = pattern.exec(disposition) ?? [];
  const text = quoted ?? plain;
  return text === undefined ? null : unescaped(text);
};

const headers = (head: string, name: string): readonly string[] =>
  head
    .split(lineEnd)
    .filter((line) => line.toLowerCase().startsWith(`${name}:`))
    .map((line) => line.slice(name.length + 1).trim());

export const partOf = (head: string, start: number, end: number): FormPart | null => {
  const [disposition = '', ...more] = headers(head, 'content-disposition');
  if (more.length > 0) return null;
  const name = parameter(disposition, 'name');
  if (name === null) return null;
  const fileName = parameter(disposition, 'filename');
  return { name, fileName, contentType: headers(head, 'content-type')[0] ?? '', start, end };
};

/** Is this content a form? */
export const isForm = (contentType: string | undefined): boolean =>
  contentType?.toLowerCase().startsWith('multipart/form-data') === true;

/** Finds the parts of a form without copying what they hold; null when it is none. */
export const scanForm = (body: Buffer, contentType: string): FormScan | null => {
  const boundary = boundaryOf(contentType);
  if (boundary === null) return null;
  const marker = `--${boundary}`;
  const first = body.indexOf(marker);
  if (first === -1) return null;
  const parts: FormPart[] = [];
  let at = first + marker.length;
  while (body.toString('latin1', at, at + 2) !== '--') {
    const line = body.indexOf(lineEnd, at);
    const headEnd = line === -1 ? -1 : body.indexOf('\r\n\r\n', line);
    if (headEnd === -1 || headEnd - at > maxHeadBytes || parts.length === maxParts) return null;
    const start = headEnd + 4;
    const end = body.indexOf(lineEnd + marker, start);
    const part = end === -1 ? null : partOf(body.toString('utf8', line + 2, headEnd), start, end);
    if (part === null) return null;
    parts.push(part);
    at = end + lineEnd.length + marker.length;
  }
  return { boundary, parts, first };
};

/** The text of a plain field; undefined when there is none of that name. */
export const fieldText = (body: Buffer, { parts }: FormScan, name: string): string | undefined => {
  const part = parts.find((own) => own.name === name && own.fileName === null);
  return part === undefined ? undefined : body.toString('utf8', part.start, part.end);
};

export const filesOf = ({ parts }: FormScan): readonly FormPart[] =>
  parts.filter(({ fileName }) => fileName !== null);

/** A field as it is in the body, with the line break after it. */
export const fieldBytes = ({ boundary }: FormScan, name: string, value: string): string =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

/** The form as providers' adapters read it. */
export const formDataOf = (body: Buffer, { parts }: FormScan): FormData => {
  const form = new FormData();
  for (const { name, fileName, contentType, start, end } of parts) {
    if (fileName === null) form.append(name, body.toString('utf8', start, end));
    else {
      const file = new Blob([new Uint8Array(body.subarray(start, end))], { type: contentType });
      form.append(name, file, fileName);
    }
  }
  return form;
};
