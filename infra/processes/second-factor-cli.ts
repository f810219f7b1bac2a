/*
 * `npm run second-factor -- remove USERNAME`: removes the second factors of a user who has lost them
 * all and has no administrator to do it. For a running site, found by EVENTSTORE_URL or
 * DATA_DIR/run.json.
 *
 * Takes the master key as the site does: SECRET_KEY, SECRET_KEY_FILE or DATA_DIR/secret-key. A
 * process that holds it and reaches the log can do anything; the event stays in the audit trail.
 */

import { keyedDigest } from '../../command-api/commands/digest.ts';
import { createHandle } from '../../command-api/commands/handle-command.ts';
import { createClaims } from '../../command-api/identity/claims.ts';
import { withSealedPersonalData } from '../../command-api/identity/personal-data.ts';
import { createPersonalKeys } from '../../command-api/identity/personal-keys.ts';
import { systemMetadata } from '../../command-api/shared/metadata.ts';
import { findUser } from '../../command-api/user/find-user.ts';
import { rootRole } from '../../domain/access/roles.ts';
import { userDecider } from '../../domain/user/decider.ts';
import { userStreamId } from '../../domain/user/stream.ts';
import { createVault } from '../vault/create-vault.ts';
import { isProcessKey } from '../vault/process-key.ts';
import { findLog } from './find-log.ts';
import { foundSecret, openKeys } from './open-keys.ts';
import { openLog } from './open-log.ts';
import { orRefuse, refuse } from './refuse.ts';
import { createRuntime } from './runtime.ts';

const usage = 'usage: npm run second-factor -- remove USERNAME';
const reason = 'removed at the command line';

const runtime = createRuntime('second-factor', 'tool');
const { clock } = runtime;
const [action, username = ''] = process.argv.slice(2);

const openSite = async () => {
  const secret = await foundSecret(runtime);
  if (isProcessKey(secret)) await refuse('npm run second-factor needs the master key');
  const log = openLog(runtime, await findLog(runtime)).eventStore;
  const { keyring } = await openKeys(runtime, { eventStore: log, secret, kind: null });
  const vault = createVault(keyring);
  const personalKeys = createPersonalKeys(log, vault);
  const eventStore = withSealedPersonalData(log, { personalKeys, vault });
  const commands = createHandle({ eventStore, digest: keyedDigest(vault) });
  return { vault, commands, claims: createClaims(eventStore, clock) };
};

const remove = async (): Promise<string> => {
  const site = await openSite();
  const user = await findUser(site, username);
  if (user === null) return refuse(`there is no user ${username}`);
  const { userId } = user;
  const result = await site.commands.handle(userDecider, userStreamId(userId), {
    type: 'RemoveSecondFactors',
    data: { userId, actorRole: rootRole, reason },
    metadata: systemMetadata('second-factor-cli', clock),
  });
  if (result.kind === 'rejected') return refuse(`refused: ${result.code}`);
  return result.events.length === 0
    ? `${username} has no second factor.`
    : `The second factors of ${username} are removed; the password alone signs in until one is enrolled again.`;
};

if (action !== 'remove' || username === '') await refuse(usage);
process.stdout.write(`${await orRefuse(remove)}\n`);
process.exit(0);
