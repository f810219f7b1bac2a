import { Button } from '@blueprintjs/core';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{ isPaused: boolean; onChange: (isPaused: boolean) => void }>;

/** Pauses a view that would update by itself. */
export const LiveSwitch = ({ isPaused, onChange }: Props) => {
  const { t } = useTranslation('common');
  const action = isPaused ? t('live-resume') : t('live-pause');
  return (
    <Button
      icon={<span className={`live-dot ${isPaused ? 'is-paused' : ''}`} />}
      text={action}
      aria-pressed={isPaused}
      onClick={() => onChange(!isPaused)}
    />
  );
};
