import type { JsonObject } from '../../protocol/canonical.ts';
import { textAt } from '../../protocol/json.ts';
import { callsOf, type FunctionCall } from './chat-request.ts';

export type Turn =
  | Readonly<{ kind: 'message'; message: JsonObject }>
  | Readonly<{ kind: 'call'; text: unknown; call: FunctionCall }>
  | Readonly<{ kind: 'result'; name: string; content: unknown }>;

const isResult = ({ role }: JsonObject): boolean => role === 'tool' || role === 'function';

/**
 * For providers that have one function call at a time: parallel calls become call and result in
 * turn, so that none of them is lost.
 */
export const singleCallTurns = (messages: readonly JsonObject[]): readonly Turn[] => {
  const turns: Turn[] = [];
  const answered = new Set<JsonObject>();
  const answerOf = (call: FunctionCall, from: number): JsonObject | undefined =>
    messages
      .slice(from)
      .find(
        (message) =>
          isResult(message) &&
          !answered.has(message) &&
          (message.role === 'function' || message.tool_call_id === call.id),
      );
  messages.forEach((message, at) => {
    if (isResult(message)) {
      if (answered.has(message)) return;
      turns.push({ kind: 'result', name: textAt(message, 'name'), content: message.content });
      return;
    }
    const calls = callsOf(message);
    if (calls.length === 0) turns.push({ kind: 'message', message });
    calls.forEach((call, order) => {
      turns.push({ kind: 'call', text: order === 0 ? message.content : '', call });
      const answer = answerOf(call, at + 1);
      if (answer === undefined) return;
      answered.add(answer);
      turns.push({ kind: 'result', name: call.name, content: answer.content });
    });
  });
  return turns;
};
