import { Button, HTMLSelect, Tab, Tabs } from '@blueprintjs/core';
import { Clipboard } from '@blueprintjs/icons';
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { tokenStates } from '../../../projections/contract/codes.ts';
import { useOwnModels } from '../account.ts';
import { call } from '../api/client.ts';
import { useCopy } from '../clipboard.ts';
import { useStoredUser } from '../session.ts';
import { useStatus } from '../status.ts';
import { type ClientName, clients, masked, modelFor, snippetFor } from './snippets.ts';

const clientNames: Readonly<Record<ClientName, string>> = {
  curl: 'curl',
  openai: 'OpenAI',
  anthropic: 'Anthropic',
  google: 'Google GenAI',
  'claude-code': 'Claude Code',
  codex: 'Codex',
};
const keyToFillIn = 'sk-...';

const useUsableTokens = () =>
  useQuery({
    queryKey: ['token', 'connect'],
    queryFn: async () => {
      const tokens = await call('GET /api/token/', { query: { p: 0, size: 100 } });
      return tokens.filter(({ status }) => status === tokenStates.enabled);
    },
    meta: { isQuiet: true },
  });

type SnippetsProps = Readonly<{ apiKey: string; models: readonly string[] }>;

const Snippets = ({ apiKey, models }: SnippetsProps) => {
  const { t } = useTranslation('connect');
  const copy = useCopy();
  const { server_address } = useStatus();
  const address = (server_address || window.location.origin).replace(/\/+$/, '');
  const textFor = (client: ClientName, key: string) =>
    snippetFor(client, { address, key, model: modelFor(client, models) });
  const panel = (client: ClientName) => (
    <div className="snippet">
      <Button
        variant="minimal"
        size="small"
        icon={<Clipboard />}
        text={t('copy')}
        onClick={() => void copy(textFor(client, apiKey), t('copied'))}
      />
      <pre>
        <code>{textFor(client, masked(apiKey))}</code>
      </pre>
    </div>
  );
  return (
    <Tabs id="connect" className="connect-tabs" renderActiveTabPanelOnly>
      {clients.map((client) => (
        <Tab key={client} id={client} title={clientNames[client]} panel={panel(client)} />
      ))}
    </Tabs>
  );
};

type Props = Readonly<{ /** The key to begin with. */ tokenId?: number | undefined }>;

const OwnSnippets = ({ tokenId }: Props) => {
  const { t } = useTranslation('connect');
  const tokens = useUsableTokens().data ?? [];
  const models = useOwnModels().data ?? [];
  const [chosen, setChosen] = useState(tokenId);
  const fieldId = useId();
  const token = tokens.find(({ id }) => id === chosen) ?? tokens[0];
  return (
    <>
      {token && (
        <div className="connect-key">
          <label htmlFor={fieldId}>{t('key')}</label>
          <HTMLSelect
            id={fieldId}
            value={token.id}
            onChange={(event) => setChosen(Number(event.currentTarget.value))}
            options={tokens.map(({ id, name }) => ({ value: id, label: name }))}
          />
        </div>
      )}
      <Snippets apiKey={token ? `sk-${token.key}` : keyToFillIn} models={models} />
    </>
  );
};

/** A first request in the client that the reader has, with the address of this site and a key. */
export const ConnectPanel = ({ tokenId }: Props) => (
  <div className="connect">
    {useStoredUser() ? (
      <OwnSnippets tokenId={tokenId} />
    ) : (
      <Snippets apiKey={keyToFillIn} models={[]} />
    )}
  </div>
);
