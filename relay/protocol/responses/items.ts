import type { JsonObject } from '../canonical.ts';
import type { ChatDialect } from '../chat-dialect.ts';
import { defined, isObject, objectsAt, textAt } from '../json.ts';
import { refuseRequest } from '../refusal.ts';
import { contentOf, isText, partsOf, spokenOf } from './content.ts';
import { noProofs, openedProofs, type Proofs, withGoogleProof } from './reasoning.ts';
import { calledName, customArguments } from './tools.ts';

/** One turn of an assistant is several items here and one message in a chat. */
type Turn = {
  reasoning: string;
  proofs: Proofs;
  text: string;
  hasText: boolean;
  calls: JsonObject[];
};

type Conversation = {
  dialect: ChatDialect;
  messages: JsonObject[];
  turn: Turn | null;
  /** Results contain only text with most models: pictures follow after all results. */
  pictures: JsonObject[];
};

const newTurn = (): Turn => ({
  reasoning: '',
  proofs: noProofs,
  text: '',
  hasText: false,
  calls: [],
});

const reasoningOf = ({ reasoning, proofs }: Turn, dialect: ChatDialect): JsonObject => {
  if (dialect === 'claude') {
    return proofs.details.length === 0 ? {} : { reasoning_details: proofs.details };
  }
  return dialect === 'compatible' && reasoning !== '' ? { reasoning_content: reasoning } : {};
};

const messageOf = (turn: Turn, dialect: ChatDialect): JsonObject => {
  const { calls, proofs, text } = turn;
  const isGemini = dialect === 'gemini';
  const made = isGemini
    ? calls.map((call) => withGoogleProof(call, proofs.calls[textAt(call, 'id')]))
    : calls;
  const message = defined({
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    tool_calls: calls.length === 0 ? undefined : made,
    ...reasoningOf(turn, dialect),
  });
  return isGemini && text !== '' ? withGoogleProof(message, proofs.text) : message;
};

const isEmpty = ({ hasText, calls }: Turn): boolean => !hasText && calls.length === 0;

const endTurn = (conversation: Conversation): void => {
  const { turn, dialect, messages } = conversation;
  if (turn !== null && !isEmpty(turn)) messages.push(messageOf(turn, dialect));
  conversation.turn = null;
};

const endResults = (conversation: Conversation): void => {
  if (conversation.pictures.length === 0) return;
  conversation.messages.push({ role: 'user', content: conversation.pictures });
  conversation.pictures = [];
};

const turnIn = (conversation: Conversation): Turn => {
  endResults(conversation);
  conversation.turn ??= newTurn();
  return conversation.turn;
};

const joined = (known: Proofs, added: Proofs): Proofs => ({
  details: [...known.details, ...added.details],
  calls: { ...known.calls, ...added.calls },
  text: added.text ?? known.text,
});

const addReasoning = (conversation: Conversation, item: JsonObject): void => {
  const proofs = openedProofs(item) ?? noProofs;
  const parts = [...objectsAt(item, 'content'), ...objectsAt(item, 'summary')];
  const reasoning = parts.map((part) => textAt(part, 'text')).join('');
  const isOfText = proofs.text !== undefined && reasoning === '';
  // A new thought after a text is a new message; calls and their thoughts stay together.
  const { turn } = conversation;
  if (turn?.hasText === true && turn.calls.length === 0 && !isOfText) endTurn(conversation);
  const own = turnIn(conversation);
  own.reasoning += reasoning;
  own.proofs = joined(own.proofs, proofs);
};

const addCall = (conversation: Conversation, item: JsonObject, args: string): void => {
  turnIn(conversation).calls.push({
    id: textAt(item, 'call_id') || textAt(item, 'id'),
    type: 'function',
    function: { name: calledName(item), arguments: args },
  });
};

const addResult = (conversation: Conversation, item: JsonObject): void => {
  endTurn(conversation);
  const parts = partsOf(item.output);
  const isClaude = conversation.dialect === 'claude';
  const text = parts
    .filter(isText)
    .map((part) => textAt(part, 'text'))
    .join('\n');
  const content = isClaude ? contentOf(parts) : text;
  conversation.messages.push({ role: 'tool', tool_call_id: item.call_id, content });
  if (!isClaude) conversation.pictures.push(...parts.filter((part) => !isText(part)));
};

const addMessage = (conversation: Conversation, item: JsonObject): void => {
  if (item.role === 'assistant') {
    const turn = turnIn(conversation);
    turn.text += spokenOf(item.content);
    turn.hasText = true;
    return;
  }
  endTurn(conversation);
  endResults(conversation);
  const isInstruction = item.role === 'system' || item.role === 'developer';
  const role = isInstruction && conversation.dialect !== 'openai' ? 'system' : item.role;
  conversation.messages.push({ role: role ?? 'user', content: contentOf(partsOf(item.content)) });
};

/** What a provider's own tool found is part of the message that follows it. */
const ownCalls: ReadonlySet<unknown> = new Set(['web_search_call']);

const addItem = (conversation: Conversation, item: JsonObject): void => {
  switch (item.type ?? 'message') {
    case 'message':
      addMessage(conversation, item);
      break;
    case 'reasoning':
      addReasoning(conversation, item);
      break;
    case 'function_call':
      addCall(conversation, item, textAt(item, 'arguments'));
      break;
    case 'custom_tool_call':
      addCall(conversation, item, customArguments(textAt(item, 'input')));
      break;
    case 'function_call_output':
    case 'custom_tool_call_output':
      addResult(conversation, item);
      break;
    default:
      if (!ownCalls.has(item.type)) {
        refuseRequest(`Items of type ${String(item.type)} cannot be sent to this model`);
      }
  }
};

const itemsOf = (input: unknown): readonly JsonObject[] => {
  if (typeof input === 'string') return [{ role: 'user', content: input }];
  return Array.isArray(input) ? input.filter(isObject) : [];
};

/** The whole conversation, instructions first. @throws refusals */
export const messagesOf = (body: JsonObject, dialect: ChatDialect): readonly JsonObject[] => {
  const conversation: Conversation = { dialect, messages: [], turn: null, pictures: [] };
  const { instructions, input } = body;
  if (typeof instructions === 'string' && instructions !== '') {
    conversation.messages.push({ role: 'system', content: instructions });
  }
  for (const item of itemsOf(input)) addItem(conversation, item);
  endTurn(conversation);
  endResults(conversation);
  return conversation.messages;
};
