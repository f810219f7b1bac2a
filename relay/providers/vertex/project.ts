import type { TranslationContext } from '../translate.ts';
import { accessToken, serviceAccountOf } from './account.ts';
import { hostOf } from './place.ts';

export type VertexProject = Readonly<{
  /** For a channel without an address. */
  baseUrl: string;
  /** The resource name of the project in its region. */
  parent: string;
  /** What opens it. */
  headers: Readonly<Record<string, string>>;
}>;

/** The project of a channel in one region. @throws a refusal for a key that gets no access token */
export const vertexProject = async (
  { channel, io }: Pick<TranslationContext, 'channel' | 'io'>,
  region: string,
): Promise<VertexProject> => {
  const account = serviceAccountOf(channel.key);
  const token = await accessToken(account, { channel, io });
  return {
    baseUrl: `https://${hostOf(region)}`,
    parent: `projects/${account.projectId}/locations/${region}`,
    headers: { authorization: `Bearer ${token}` },
  };
};
