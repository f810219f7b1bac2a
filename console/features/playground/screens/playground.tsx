import { Button, Drawer } from '@blueprintjs/core';
import { Cog, Eraser } from '@blueprintjs/icons';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnGroups, useOwnModels } from '../../../shared/account.ts';
import { useIsNarrow } from '../../../shared/hooks/use-is-narrow.ts';
import { usePageTitle } from '../../../shared/page-title.ts';
import { useStoredUser } from '../../../shared/session.ts';
import { Composer } from '../components/composer.tsx';
import { Conversation } from '../components/conversation.tsx';
import { groupOptions, SettingsPanel } from '../components/settings-panel.tsx';
import { type ChatSettings, useChat } from '../components/use-chat.ts';

const preferredModel = 'gpt-4o-mini';
/** Sent to a model, not read by a user: one wording for all languages. */
const defaultSystem = 'You are a helpful assistant. Answer briefly and to the point.';

/** What the user chose; where they have not, what is there. */
const usePlaygroundSettings = () => {
  const user = useStoredUser();
  const models = useOwnModels().data ?? [];
  const groups = useOwnGroups().data ?? {};
  const [chosen, setChosen] = useState<Partial<ChatSettings>>({});
  const ownGroup = user?.group ?? '';
  const settings: ChatSettings = {
    model: models.includes(preferredModel) ? preferredModel : (models[0] ?? preferredModel),
    group: groupOptions(groups, ownGroup)[0]?.[0] ?? '',
    temperature: 0,
    max_tokens: 0,
    system: defaultSystem,
    ...chosen,
  };
  const change = (changes: Partial<ChatSettings>) => setChosen({ ...chosen, ...changes });
  return { settings, models, groups, ownGroup, change };
};

export const Playground = () => {
  const { t } = useTranslation('playground');
  usePageTitle(t('title'));
  const isNarrow = useIsNarrow();
  const [isPanelOpen, setPanelOpen] = useState(false);
  const { change, ...panel } = usePlaygroundSettings();
  const chat = useChat(panel.settings);
  const settingsPanel = <SettingsPanel {...panel} onChange={change} />;
  return (
    <div className="playground">
      {isNarrow ? (
        <Drawer
          isOpen={isPanelOpen}
          onClose={() => setPanelOpen(false)}
          position="left"
          size="88%"
          title={t('settings')}
        >
          {settingsPanel}
        </Drawer>
      ) : (
        <section className="panel" aria-label={t('settings')}>
          {settingsPanel}
        </section>
      )}
      <section className="panel playground-chat" aria-label={t('title')}>
        <header className="playground-head">
          {isNarrow && (
            <Button
              variant="minimal"
              icon={<Cog />}
              aria-label={t('settings')}
              onClick={() => setPanelOpen(true)}
            />
          )}
          <h1 className="panel-title">{t('title')}</h1>
          <span className="subtle">{panel.settings.model}</span>
          <Button
            variant="minimal"
            icon={<Eraser />}
            text={t('clear')}
            disabled={chat.messages.length === 0}
            onClick={chat.clear}
          />
        </header>
        <Conversation messages={chat.messages} />
        <Composer
          isRunning={chat.isRunning}
          canSend={panel.settings.model !== ''}
          onSend={(text) => void chat.send(text)}
          onStop={chat.stop}
        />
      </section>
    </div>
  );
};
