import type { JsonObject } from '../../protocol/canonical.ts';
import { without } from '../../protocol/json.ts';
import { configurationError, refuse } from '../../protocol/refusal.ts';
import type { HttpRequest } from '../../upstream/types.ts';
import type { AwsKey } from '../shared/aws-signature.ts';
import { signAws } from '../shared/aws-signature.ts';
import { planOf } from '../shared/claude/plan.ts';
import { betaFlags, claudeBody } from '../shared/claude/request.ts';
import { baseOf, withOverrides } from '../shared/outgoing.ts';
import type { TranslationContext } from '../translate.ts';
import { converseBody } from './converse-request.ts';
import { isClaude, modelId } from './models.ts';
import { otherBody } from './other-operations.ts';

type Credentials =
  | Readonly<{ kind: 'signature'; key: AwsKey }>
  | Readonly<{ kind: 'bearer'; token: string; region: string }>;

/** `access key|secret|region`, or `API key|region`. @throws a refusal for anything else */
const credentialsOf = (text: string): Credentials => {
  const parts = text.split('|').map((part) => part.trim());
  const [first = '', second = '', third = ''] = parts;
  if (parts.every((part) => part !== '') && parts.length === 3) {
    return { kind: 'signature', key: { id: first, secret: second, region: third } };
  }
  if (parts.every((part) => part !== '') && parts.length === 2) {
    return { kind: 'bearer', token: first, region: second };
  }
  return refuse(configurationError('The key of the channel must be access key, secret and region'));
};

const regionIn = (credentials: Credentials): string =>
  credentials.kind === 'signature' ? credentials.key.region : credentials.region;

const hostOf = (region: string): string =>
  `bedrock-runtime.${region}.amazonaws.com${region.startsWith('cn-') ? '.cn' : ''}`;

const messagesBody = async (context: TranslationContext): Promise<JsonObject> => {
  const body = await claudeBody(context);
  const flags = betaFlags(context);
  return {
    anthropic_version: 'bedrock-2023-05-31',
    ...(flags.length === 0 ? {} : { anthropic_beta: flags }),
    // The address contains the name, and whether the answer is streamed.
    ...without(body, ['model', 'stream', 'service_tier']),
  };
};

const actionOf = (isOwn: boolean, isStream: boolean): string => {
  if (isOwn) return isStream ? 'invoke-with-response-stream' : 'invoke';
  return isStream ? 'converse-stream' : 'converse';
};

type Invocation = Readonly<{
  /** After the suffix rules. */
  model: string;
  isStream: boolean;
  /** In the model's own words, also where it is not Claude. */
  isOwn?: true;
  body: (isOwn: boolean) => string | Promise<string>;
}>;

/** Signed last, over the very bytes that go out. */
export const invocationOf = async (
  { channel, io }: Pick<TranslationContext, 'channel' | 'io'>,
  { model, isStream, isOwn: isAlwaysOwn, body: bodyFor }: Invocation,
): Promise<HttpRequest> => {
  const credentials = credentialsOf(channel.key);
  const region = regionIn(credentials);
  const id = modelId(model, region);
  const isOwn = isAlwaysOwn ?? isClaude(id);
  const base = baseOf(channel, `https://${hostOf(region)}`);
  const url = new URL(`${base}/model/${encodeURIComponent(id)}/${actionOf(isOwn, isStream)}`);
  const body = await bodyFor(isOwn);
  const headers = { accept: 'application/json', 'content-type': 'application/json' };
  const signed =
    credentials.kind === 'bearer'
      ? { ...headers, authorization: `Bearer ${credentials.token}` }
      : signAws({ url, body, service: 'bedrock', now: io.now(), headers }, credentials.key).headers;
  return { method: 'POST', url: url.href, headers: signed, body };
};

const chatRequest = (context: TranslationContext): Promise<HttpRequest> =>
  invocationOf(context, {
    model: planOf(context).model,
    isStream: context.call.isStream,
    body: async (isOwn) => {
      const content = isOwn ? await messagesBody(context) : await converseBody(context);
      return JSON.stringify(withOverrides(content, context));
    },
  });

const otherRequest = (context: TranslationContext): Promise<HttpRequest> =>
  invocationOf(context, {
    model: context.call.upstreamModel,
    isStream: false,
    isOwn: true,
    body: () => JSON.stringify(otherBody(context)),
  });

/** @throws refusals */
export const bedrockRequest = (context: TranslationContext): Promise<HttpRequest> =>
  context.call.operation === 'chat' ? chatRequest(context) : otherRequest(context);
