import { randomBytes } from 'node:crypto';
import { createHandle } from '../../command-api/commands/handle-command.ts';
import { createPersonalKeys } from '../../command-api/identity/personal-keys.ts';
import { systemMetadata } from '../../command-api/shared/metadata.ts';
import { siteDecider } from '../../domain/site/decider.ts';
import { siteStreamId } from '../../domain/site/stream.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import type { EventStore } from '../ports/event-store.ts';
import { createVault } from '../vault/create-vault.ts';
import type { Keyring } from '../vault/keyring.ts';
import { siteSessionSigner } from '../vault/session-signer.ts';
import type { Runtime } from './runtime.ts';

export type CliSession = Readonly<{
  headers: Readonly<Record<string, string>>;
  end: () => Promise<void>;
}>;

const sessionIdBytes = 16;

/** Signs the super admin in for one command; null: the site is not set up yet. */
export const openCliSession = async (
  { clock }: Pick<Runtime, 'clock'>,
  { eventStore, keyring }: Readonly<{ eventStore: EventStore; keyring: Keyring }>,
): Promise<CliSession | null> => {
  const commands = createHandle({ eventStore });
  const metadata = () => systemMetadata('projections-cli', clock);
  const { state: site } = await commands.load(siteDecider, siteStreamId);
  if (site.status !== 'initialised') return null;
  const { rootUserId: userId } = site;
  const seal = await createPersonalKeys(eventStore, createVault(keyring)).get(userId);
  if (seal === null) return null;
  const id = randomBytes(sessionIdBytes).toString('base64url');
  const openedAt = clock();
  const streamId = userStreamId(userId);
  await commands.handle(userDecider, streamId, {
    type: 'RecordLogin',
    data: {
      userId,
      method: 'command-line',
      session: {
        sessionId: id,
        openedAt: openedAt.toISOString(),
        device: seal.seal('npm run projections', 'session-device'),
        address: seal.seal('', 'session-address'),
      },
    },
    metadata: metadata(),
  });
  const { state: user } = await commands.load(userDecider, streamId);
  const epoch = user.status === 'absent' ? 0 : user.sessionEpoch;
  const session = { id, userId, epoch, issuedAt: openedAt.getTime() };
  return {
    headers: {
      cookie: `session=${siteSessionSigner(keyring).sign(session)}`,
      'new-api-user': String(userId),
      'accept-language': 'en',
    },
    end: async () => {
      await commands.handle(userDecider, streamId, {
        type: 'EndSession',
        data: { userId, sessionId: id, reason: 'logged-out' },
        metadata: metadata(),
      });
    },
  };
};
