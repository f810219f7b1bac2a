import { bedrock } from './bedrock.ts';
import { googleToken } from './cached-contents.ts';
import { bearer, chatCompletions } from './chat-completions.ts';
import { googleFailure, readContent, sendContent } from './generate-content.ts';
import { messages, readMessages, sendMessages } from './messages.ts';
import { responses } from './responses.ts';
import { rule, Unauthorized } from './scene.ts';
import type { Shape, UpstreamCall } from './types.ts';

const withBearer = (shape: Shape): Shape => ({
  ...shape,
  read: (call) => {
    bearer(call);
    return shape.read(call);
  },
});

const gemini: Shape = {
  read: (call) => {
    const key = call.headers['x-goog-api-key'] ?? call.query.get('key');
    if (key !== 'gemini-key') throw new Unauthorized('API key not valid.');
    return readContent(call);
  },
  send: sendContent,
  fail: googleFailure,
};

const openedByGoogle = ({ headers, path }: UpstreamCall): void => {
  if (headers.authorization !== `Bearer ${googleToken}`) {
    throw new Unauthorized('Request had invalid authentication credentials.');
  }
  rule(path.includes('/projects/stub-project/locations/us-central1/'), 'Project or location');
};

const vertexGemini: Shape = {
  read: (call) => {
    openedByGoogle(call);
    return readContent(call);
  },
  send: sendContent,
  fail: googleFailure,
};

const vertexClaude: Shape = {
  read: (call) => {
    openedByGoogle(call);
    const { anthropic_version: version, anthropic_beta: _, ...body } = call.body;
    rule(version === 'vertex-2023-10-16', 'anthropic_version: field required');
    rule(body.model === undefined, 'model: Extra inputs are not permitted');
    const isStream = call.path.endsWith(':streamRawPredict');
    rule(isStream === (body.stream === true), 'stream must go with streamRawPredict');
    return { ...readMessages(body), model: /models\/([^:]+)/.exec(call.path)?.[1] ?? '' };
  },
  send: sendMessages,
  fail: messages.fail,
};

const azureKey = ({ headers }: UpstreamCall): void => {
  if (headers['api-key'] !== 'azure-key') throw new Unauthorized('Access denied');
};

const azureChat: Shape = {
  ...chatCompletions,
  read: (call) => {
    azureKey(call);
    rule(/^\d{4}-\d\d-\d\d(-preview)?$/.test(call.query.get('api-version') ?? ''), 'api-version');
    const deployment = /\/deployments\/([^/]+)\//.exec(call.path)?.[1] ?? '';
    rule(deployment === 'gpt-5', 'DeploymentNotFound');
    return { ...chatCompletions.read(call), model: deployment };
  },
};

const azureResponses: Shape = {
  ...responses,
  read: (call) => {
    azureKey(call);
    return responses.read(call);
  },
};

type Route = Readonly<{ pattern: RegExp; shape: Shape; name: string }>;

const routes: readonly Route[] = [
  { name: 'azure', pattern: /^\/openai\/deployments\/.*\/chat\/completions$/, shape: azureChat },
  { name: 'azure', pattern: /^\/openai\/(v1\/)?responses$/, shape: azureResponses },
  { name: 'openai', pattern: /^\/v1\/chat\/completions$/, shape: withBearer(chatCompletions) },
  { name: 'openai', pattern: /^\/v1\/responses$/, shape: withBearer(responses) },
  { name: 'anthropic', pattern: /^\/v1\/messages$/, shape: messages },
  { name: 'bedrock', pattern: /^\/model\//, shape: bedrock },
  { name: 'gemini', pattern: /^\/v1(beta)?\/models\/.*enerateContent$/, shape: gemini },
  {
    name: 'vertex',
    pattern: /^\/v1\/projects\/.*\/google\/models\/.*enerateContent$/,
    shape: vertexGemini,
  },
  {
    name: 'vertex',
    pattern: /^\/v1\/projects\/.*\/anthropic\/models\/.*awPredict$/,
    shape: vertexClaude,
  },
];

/** The API that a path belongs to. */
export const routeOf = (path: string): Route | undefined =>
  routes.find(({ pattern }) => pattern.test(path));
