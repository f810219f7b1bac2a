import type { UpstreamChannel } from '../../feeds/upstream-channel.ts';
import { reasoningModel } from '../shared/reasoning-models.ts';

/** When the channel was made, ISO-8601; absent for channels of today. */
type DatedChannel = UpstreamChannel & Readonly<{ createdAt?: string }>;

type Asked = Readonly<{ path: string; upstreamModel: string }>;

const defaultVersion = '2024-12-01-preview';
/** Deployments of channels made before this day have names without dots. */
const dotsStaySince = Date.parse('2025-05-10T00:00:00Z');
const cloudflareGateway = 'https://gateway.ai.cloudflare.com';
/** With one of these as version, names are in the body and no deployment in the path. */
const newSurface: ReadonlySet<string> = new Set(['v1', 'preview', 'latest']);

const deploymentOf = (channel: DatedChannel, model: string): string => {
  const { createdAt } = channel;
  const isOld = createdAt !== undefined && Date.parse(createdAt) < dotsStaySince;
  return encodeURIComponent(isOld ? model.replaceAll('.', '') : model);
};

/** Where a call with that path of OpenAI's goes. */
export const deploymentPath = (channel: DatedChannel, asked: Asked): string => {
  const [own = '', query = ''] = asked.path.split('?');
  const operation = own.replace(/^\/v1\//, '');
  const wanted = new URLSearchParams(query).get('api-version');
  const version = wanted || channel.settings.other || defaultVersion;
  if (newSurface.has(version)) {
    const suffix = version === 'v1' ? '' : `?api-version=${version}`;
    return `/openai/v1/${operation}${suffix}`;
  }
  const deployment = deploymentOf(channel, reasoningModel(asked.upstreamModel).model);
  const isGateway = channel.settings.baseUrl.startsWith(cloudflareGateway);
  const root = isGateway ? '' : '/openai/deployments';
  return `${root}/${deployment}/${operation}?api-version=${encodeURIComponent(version)}`;
};

/** From this version on the older surface has the Responses API. */
const responsesSince = '2025-03-01';

/** Behind a gateway of Cloudflare's the path names a deployment, which this API does not. */
export const isBehindGateway = ({ settings }: UpstreamChannel): boolean =>
  settings.baseUrl.startsWith(cloudflareGateway);

/** Where a call of the Responses API goes, and the name of its deployment. */
export const azureResponses = (
  channel: DatedChannel,
  { path, upstreamModel }: Asked,
): Readonly<{ path: string; deployment: string }> => {
  const [own = '', query = ''] = path.split('?');
  const operation = own.replace(/^\/v1\//, '');
  const wanted = new URLSearchParams(query).get('api-version');
  const version = wanted || channel.settings.other || defaultVersion;
  const suffix = `?api-version=${encodeURIComponent(version)}`;
  const deployment = decodeURIComponent(deploymentOf(channel, upstreamModel));
  if (newSurface.has(version) || version < responsesSince) {
    const isNamed = version === 'preview' || version === 'latest';
    return { path: `/openai/v1/${operation}${isNamed ? suffix : ''}`, deployment };
  }
  return { path: `/openai/${operation}${suffix}`, deployment };
};

/** Address at which a realtime session with a deployment is opened. */
export const azureRealtimePath = (
  channel: UpstreamChannel,
  model: string,
  apiVersion: string,
): string => {
  const version = apiVersion || channel.settings.other || defaultVersion;
  const deployment = deploymentOf(channel, model);
  return newSurface.has(version)
    ? `/openai/v1/realtime?model=${deployment}`
    : `/openai/realtime?deployment=${deployment}&api-version=${encodeURIComponent(version)}`;
};
