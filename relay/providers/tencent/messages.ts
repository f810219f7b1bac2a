import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../../protocol/json.ts';
import {
  forcedTool,
  functionsOf,
  imageSource,
  isSystem,
  partsOf,
  plainText,
} from '../shared/chat-request.ts';
import { toolChoiceOf } from '../shared/tools.ts';

const contentOf = (content: unknown): JsonObject => {
  const parts = partsOf(content);
  const hasImage = parts.some((part) => imageSource(part) !== null);
  if (!hasImage) return { Content: plainText(content) };
  return {
    Contents: parts.map((part) => {
      const url = imageSource(part);
      return url === null
        ? { Type: 'text', Text: plainText([part]) }
        : { Type: 'image_url', ImageUrl: { Url: url } };
    }),
  };
};

const callOf = (call: JsonObject): JsonObject => {
  const called = objectAt(call, 'function');
  return {
    Id: textAt(call, 'id'),
    Type: 'function',
    Function: { Name: textAt(called, 'name'), Arguments: textAt(called, 'arguments') },
  };
};

const messageOf = (message: JsonObject): JsonObject => {
  const calls = objectsAt(message, 'tool_calls').map(callOf);
  return defined({
    Role: message.role,
    ...contentOf(message.content),
    ToolCallId: message.tool_call_id,
    ToolCalls: calls.length === 0 ? undefined : calls,
  });
};

/** Instructions are first and once. */
export const tencentMessages = (messages: readonly JsonObject[]): readonly JsonObject[] => {
  const system = messages.filter(isSystem).map(({ content }) => plainText(content));
  const others = messages.filter((message) => !isSystem(message)).map(messageOf);
  return system.length === 0 ? others : [{ Role: 'system', Content: system.join('\n') }, ...others];
};

const toolOf = (tool: JsonObject): JsonObject => ({
  Type: 'function',
  Function: defined({
    Name: tool.name,
    // Upstream requires the schema as text.
    Parameters: JSON.stringify(isObject(tool.parameters) ? tool.parameters : {}),
    Description: tool.description,
  }),
});

/** A demand for a certain tool is `custom`. */
export const toolMembers = (body: JsonObject): JsonObject => {
  const functions = functionsOf(body);
  if (functions.length === 0) return {};
  const tools = { Tools: functions.map(toolOf) };
  const name = forcedTool(body);
  if (name === undefined) {
    return toolChoiceOf(body)?.kind === 'auto' ? { ...tools, ToolChoice: 'auto' } : tools;
  }
  const only = { Type: 'function', Function: { Name: name } };
  return { ...tools, ToolChoice: 'custom', CustomTool: only };
};
