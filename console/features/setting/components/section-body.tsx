import { useTranslation } from 'react-i18next';
import type { Options } from '../api/options.ts';
import { ClearLog } from './clear-log.tsx';
import { GeneralCard } from './general-card.tsx';
import { LoginCard } from './login-card.tsx';
import { PricePreview } from './price-preview.tsx';
import { RatioEditor } from './ratio-editor.tsx';
import { ResetRatios } from './reset-ratios.tsx';
import type { Section } from './sections.ts';
import { SettingCard } from './setting-card.tsx';
import { SystemCard } from './system-card.tsx';
import { UnsetModels } from './unset-models.tsx';
import type { SettingForm } from './use-setting-form.ts';
import { VersionCard } from './version-card.tsx';

type Props = Readonly<{ section: Section; options: Options }>;

const effectOf = ({ changes }: SettingForm) => <PricePreview changes={changes} />;

/** What a section of the settings shows. */
export const SectionBody = ({ section, options }: Props) => {
  const { t } = useTranslation('setting');
  const { card, id, tab } = section;
  if (card === null) {
    return id === 'visual' ? <RatioEditor options={options} /> : <UnsetModels options={options} />;
  }
  const props = { card, options };
  if (tab === 'system') {
    return id === 'login' ? <LoginCard options={options} /> : <SystemCard {...props} />;
  }
  switch (id) {
    case 'general':
      return <GeneralCard {...props} />;
    case 'version':
      return <VersionCard options={options} />;
    case 'prices':
      return <SettingCard {...props} isTabbed extra={<ResetRatios />} preview={effectOf} />;
    case 'groups':
      return <SettingCard {...props} preview={effectOf} />;
    case 'log':
      return <SettingCard {...props} extra={<ClearLog />} />;
    case 'chats':
      return <SettingCard {...props} note={t('note.chats')} />;
    case 'dashboard':
      return <SettingCard {...props} note={t('note.dashboard')} />;
    default:
      return <SettingCard {...props} />;
  }
};
