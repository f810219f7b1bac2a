import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, numberAt, objectAt, objectsAt, textAt } from '../../protocol/json.ts';
import { redact } from '../shared/failure.ts';
import { type UsageReport, usageReport } from '../shared/usage-report.ts';

/** One frame of an answer in plain terms. */
export type Frame = Readonly<{
  id: string;
  content: string;
  reasoning: string;
  calls: readonly Readonly<{ name: string; arguments: string }>[];
  isLast: boolean;
  usage: UsageReport | null;
}>;

const statuses: ReadonlyMap<number, number> = new Map([
  [10003, 400],
  [10004, 400],
  [10005, 400],
  [10007, 429],
  [10013, 400],
  [10014, 400],
  [10019, 400],
  [10907, 400],
  [11200, 401],
  [11201, 429],
  [11202, 429],
  [11203, 429],
]);
const contentCodes: readonly unknown[] = [10013, 10014, 10019];

/** null when the frame brings an answer. */
export const frameError = (frame: JsonObject): ApiError | null => {
  const header = objectAt(frame, 'header');
  const code = numberAt(header, 'code') ?? 0;
  if (code === 0) return null;
  return {
    status: statuses.get(code) ?? 500,
    message: redact(textAt(header, 'message') || `error ${code}`),
    type: 'xunfei_error',
    code,
  };
};

/** The provider's judgement on the prompt or the answer. */
export const isAboutContent = ({ code }: ApiError): boolean => contentCodes.includes(code);

export const readFrame = (frame: JsonObject): Frame => {
  const header = objectAt(frame, 'header');
  const payload = objectAt(frame, 'payload');
  const choices = objectAt(payload, 'choices');
  const texts = objectsAt(choices, 'text');
  const joined = (member: string): string => texts.map((text) => textAt(text, member)).join('');
  return {
    id: textAt(header, 'sid'),
    content: joined('content'),
    reasoning: joined('reasoning_content'),
    calls: texts
      .map(({ function_call: call }) => call)
      .filter(isObject)
      .map((call) => ({ name: textAt(call, 'name'), arguments: textAt(call, 'arguments') })),
    isLast: choices.status === 2 || header.status === 2,
    usage: usageReport(objectAt(payload, 'usage').text),
  };
};
