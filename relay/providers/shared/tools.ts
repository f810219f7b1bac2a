import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, objectAt, objectsAt, textAt } from '../../protocol/json.ts';
import { refuseRequest } from '../../protocol/refusal.ts';

/** The caller's settings of tools, in either of OpenAI's two forms. */
export type ToolChoice =
  | Readonly<{ kind: 'auto' | 'none' | 'required' }>
  | Readonly<{ kind: 'function'; name: string }>;

const nameOf = (tool: JsonObject): string => textAt(objectAt(tool, 'function'), 'name');

/** A choice that leaves only some of the tools to the model; null where there is none. */
const allowedTools = ({ tool_choice: choice }: JsonObject): JsonObject | null =>
  isObject(choice) && choice.type === 'allowed_tools' ? objectAt(choice, 'allowed_tools') : null;

/** Free text is no argument in other protocols than OpenAI's. */
const refuseCustom = (tool: JsonObject): void => {
  if (!isObject(tool.custom)) return;
  const name = textAt(tool.custom, 'name');
  refuseRequest(
    `The custom tool ${name} is not supported by this model, which accepts functions only`,
  );
};

/**
 * Functions and provider's own tools that may be called; the older `functions` count as tools.
 * @throws a refusal of custom tools
 */
export const toolsOf = (body: JsonObject): readonly JsonObject[] => {
  const tools = [
    ...objectsAt(body, 'tools'),
    ...objectsAt(body, 'functions').map((own) => ({ type: 'function', function: own })),
  ];
  for (const tool of tools) refuseCustom(tool);
  const allowed = allowedTools(body);
  if (allowed === null) return tools;
  const names = objectsAt(allowed, 'tools').map(nameOf);
  return tools.filter((tool) => names.includes(nameOf(tool)));
};

export const isFunction = (tool: JsonObject): boolean => isObject(tool.function);

/** null when the caller left it open. */
export const toolChoiceOf = (body: JsonObject): ToolChoice | null => {
  const choice = body.tool_choice ?? body.function_call;
  if (choice === 'auto' || choice === 'none' || choice === 'required') return { kind: choice };
  if (!isObject(choice)) return null;
  const allowed = allowedTools(body);
  if (allowed !== null) return { kind: allowed.mode === 'required' ? 'required' : 'auto' };
  const name = textAt(objectAt(choice, 'function'), 'name') || textAt(choice, 'name');
  return name === '' ? null : { kind: 'function', name };
};
