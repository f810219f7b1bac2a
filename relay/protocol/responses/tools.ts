import type { JsonObject, NamedTool } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';

/** Functions of a namespace are distinguished by it. */
const joinedName = (namespace: string, name: string): string =>
  namespace === '' ? name : `${namespace}__${name}`;

/** The name that a call of this item has in a chat. */
export const calledName = (item: JsonObject): string =>
  joinedName(textAt(item, 'namespace'), textAt(item, 'name'));

/** A custom tool takes free text; a function of one text member takes the same. */
const customSchema = {
  type: 'object',
  properties: { input: { type: 'string' } },
  required: ['input'],
  additionalProperties: false,
};
export const customArguments = (input: string): string => JSON.stringify({ input });

const grammarNote = (format: JsonObject): string =>
  format.type === 'grammar'
    ? `\n\nThe input must match this grammar (${textAt(format, 'syntax')}):\n${textAt(format, 'definition')}`
    : '';

const functionOf = (tool: JsonObject, namespace: string): JsonObject => ({
  type: 'function',
  function: defined({
    name: joinedName(namespace, textAt(tool, 'name')),
    description: tool.description ?? undefined,
    parameters: tool.parameters ?? undefined,
    strict: tool.strict ?? undefined,
  }),
});

const customOf = (tool: JsonObject, namespace: string): JsonObject => ({
  type: 'function',
  function: {
    name: joinedName(namespace, textAt(tool, 'name')),
    description: textAt(tool, 'description') + grammarNote(objectAt(tool, 'format')),
    parameters: customSchema,
  },
});

const isSearch = ({ type }: JsonObject): boolean => String(type).startsWith('web_search');

const unknownTool = (type: unknown): never =>
  refuseRequest(`The tool ${String(type)} is not supported by this model`);

const toolOf = (tool: JsonObject, namespace: string): readonly JsonObject[] => {
  switch (tool.type) {
    case 'function':
      return [functionOf(tool, namespace)];
    case 'custom':
      return [customOf(tool, namespace)];
    case 'namespace':
      return objectsAt(tool, 'tools').flatMap((own) => toolOf(own, textAt(tool, 'name')));
    default:
      return isSearch(tool) ? [] : unknownTool(tool.type);
  }
};

/** Searches of the provider's own, where it has them. @throws a refusal where it has none */
const searchOf = (body: JsonObject, dialect: ChatDialect): JsonObject | undefined => {
  const tool = objectsAt(body, 'tools').find(isSearch);
  if (tool === undefined) return undefined;
  if (dialect !== 'claude' && dialect !== 'gemini') return unknownTool(tool.type);
  const { type: _, ...near } = objectAt(tool, 'user_location');
  return defined({
    search_context_size: tool.search_context_size,
    user_location:
      Object.keys(near).length === 0 ? undefined : { type: 'approximate', approximate: near },
  });
};

const isAllowed = (tool: JsonObject, allowed: readonly JsonObject[]): boolean =>
  allowed.some(({ type, name }) =>
    tool.type === 'namespace' || isSearch(tool)
      ? String(type).startsWith(String(tool.type))
      : type === tool.type && name === tool.name,
  );

const namedChoice = (choice: JsonObject): JsonObject => ({
  type: 'function',
  function: { name: calledName(choice) },
});

const choiceOf = (choice: unknown): unknown => {
  if (!isObject(choice)) return choice ?? undefined;
  switch (choice.type) {
    case 'function':
    case 'custom':
      return namedChoice(choice);
    case 'allowed_tools':
      return choice.mode === 'required' ? 'required' : 'auto';
    default:
      return refuseRequest(`The tool choice ${String(choice.type)} is not supported by this model`);
  }
};

/** The tools of a call, and which of them may be used. @throws refusals */
export const toolMembers = (body: JsonObject, dialect: ChatDialect): JsonObject => {
  const choice = objectAt(body, 'tool_choice');
  const asked = objectsAt(body, 'tools');
  const offered =
    choice.type === 'allowed_tools'
      ? asked.filter((tool) => isAllowed(tool, objectsAt(choice, 'tools')))
      : asked;
  const tools = offered.flatMap((tool) => toolOf(tool, ''));
  const search = searchOf({ tools: offered }, dialect);
  return defined({
    tools: tools.length === 0 ? undefined : tools,
    tool_choice: tools.length === 0 ? undefined : choiceOf(body.tool_choice),
    parallel_tool_calls: tools.length > 0 && body.parallel_tool_calls === false ? false : undefined,
    web_search_options: search,
  });
};

const named = (tool: JsonObject, namespace: string): readonly NamedTool[] => {
  if (tool.type === 'namespace') {
    return objectsAt(tool, 'tools').flatMap((own) => named(own, textAt(tool, 'name')));
  }
  const isCustom = tool.type === 'custom';
  if (!isCustom && (tool.type !== 'function' || namespace === '')) return [];
  const own = textAt(tool, 'name');
  const kind = isCustom ? 'custom' : 'function';
  const known = { name: joinedName(namespace, own), kind, own } as const;
  return [namespace === '' ? known : { ...known, namespace }];
};

/** Tools whose calls are written otherwise than as calls of a function of that name. */
export const namedTools = (body: JsonObject): readonly NamedTool[] =>
  objectsAt(body, 'tools').flatMap((tool) => named(tool, ''));
