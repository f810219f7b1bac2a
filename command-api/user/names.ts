import unhomoglyph from 'unhomoglyph';
import type { Metadata } from '../../domain/shared/event.ts';
import type { UserId } from '../../domain/shared/ids.ts';
import { nameLookClaimStreamId, userStreamId } from '../../domain/user/stream.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Claims } from '../identity/claims.ts';
import { derivedMetadata } from '../shared/metadata.ts';
import { loadUser } from './find-user.ts';

type Deps = Readonly<{
  vault: Vault;
  commands: CommandHandler;
  claims: Claims;
}>;

/**
 * Characters that show nothing, or change the order in which others show: default ignorables, format
 * and control characters, separators of lines, halves of surrogate pairs, the blank braille pattern.
 */
const invisible = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\u2800]/u;
/** Emoji are joined by invisible characters, which are no deception there. */
const emoji =
  /\p{Extended_Pictographic}(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)*|[0-9#*]\ufe0f\u20e3/gu;

export const hasInvisible = (username: string): boolean => invisible.test(username);

export const displayNameHasInvisible = (displayName: string): boolean =>
  invisible.test(displayName.replace(emoji, ''));

/** The skeleton of UTS #39, section 4: names with the same one are visually equal. */
const skeleton = (text: string): string =>
  unhomoglyph(text.normalize('NFKC').normalize('NFD')).normalize('NFD');

/**
 * The look-alike forms of a name, as it is typed and in lower case: a capital I passes for an l,
 * and a Cyrillic Р for the first letter of another's name that is written in lower case.
 */
const looksOf = (name: string): readonly string[] => {
  const lower = name.normalize('NFKC').toLowerCase();
  return [...new Set([name, lower].map((text) => skeleton(text).toLowerCase()))];
};

const lookClaims = (vault: Vault, name: string): readonly string[] =>
  looksOf(name).map((appearance) =>
    nameLookClaimStreamId(vault.claimHash('username-appearance', appearance)),
  );

type Named = Readonly<{ username: string; userId: UserId }>;

/**
 * Whether the text is visually equal to the user name of another user. Deleted users count as well.
 */
export const looksLikeAnother = async (
  { claims, commands, vault }: Deps,
  text: string,
  self: UserId | null,
): Promise<boolean> => {
  for (const streamId of lookClaims(vault, text)) {
    const owner = await claims.owner(streamId);
    if (owner === null || owner === self) continue;
    if ((await loadUser({ commands }, owner)) !== null) return true;
  }
  return false;
};

/** Claims the look-alike form of a name; false when another name has the same. */
export const claimLooks = async (
  { claims, vault }: Pick<Deps, 'vault' | 'claims'>,
  { username, userId }: Named,
  metadata: Metadata,
): Promise<boolean> => {
  for (const [nth, streamId] of lookClaims(vault, username).entries()) {
    const claim = {
      kind: 'username-look',
      streamId,
      ownerId: userId,
      ownerStreamId: userStreamId(userId),
    };
    const answer = await claims.claim(claim, derivedMetadata(metadata, `username-look/${nth}`));
    if (answer.kind === 'taken') return false;
  }
  return true;
};

export type NameProblem = 'user.name-invisible' | 'user.name-lookalike';
type NewNames = Named & Readonly<{ displayName: string }>;

/**
 * Claims the look-alike forms of the names of a new user, once the user name itself is theirs. An
 * empty display name is replaced by the user name.
 */
export const claimNewLooks = async (
  needs: Deps,
  { username, displayName, userId }: NewNames,
  metadata: Metadata,
): Promise<NameProblem | null> => {
  const isOther = displayName !== '' && displayName !== username;
  if (isOther && (await looksLikeAnother(needs, displayName, userId))) return 'user.name-lookalike';
  const isTheirs = await claimLooks(needs, { username, userId }, metadata);
  return isTheirs ? null : 'user.name-lookalike';
};
