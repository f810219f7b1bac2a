import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../protocol/json.ts';

/** What the caller wants of tools, whichever of OpenAI's two ways he said it. */
export type ToolChoice =
  | Readonly<{ kind: 'auto' | 'none' | 'required' }>
  | Readonly<{ kind: 'function'; name: string }>;

/** Functions and provider's own tools; the older `functions` count as tools. */
export const toolsOf = (body: JsonObject): readonly JsonObject[] => [
  ...objectsAt(body, 'tools'),
  ...objectsAt(body, 'functions').map((own) => ({ type: 'function', function: own })),
];

export const isFunction = (tool: JsonObject): boolean => isObject(tool.function);

/** null when the caller left it open. */
export const toolChoiceOf = (body: JsonObject): ToolChoice | null => {
  const choice = body.tool_choice ?? body.function_call;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice)) return null;
  const name = textAt(objectAt(choice, 'function'), 'name') || textAt(choice, 'name');
  return name === '' ? null : { kind: 'function', name };
};
