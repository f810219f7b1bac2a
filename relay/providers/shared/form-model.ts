import { type FormScan, fieldBytes } from '../../protocol/scan-form.ts';
import { splice } from '../../protocol/splice.ts';

/** A form with the name of the model in its place, or as an added part; every other byte stays. */
export const formWithModel = (body: Buffer, form: FormScan, name: string): Buffer => {
  const part = form.parts.find((own) => own.name === 'model' && own.fileName === null);
  if (part !== undefined) return splice(body, [{ start: part.start, end: part.end, text: name }]);
  const text = fieldBytes(form, 'model', name);
  return splice(body, [{ start: form.first, end: form.first, text }]);
};
