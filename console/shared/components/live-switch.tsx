import { Button } from '@blueprintjs/core';
import { Pause, Play } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';

type Props = Readonly<{ isPaused: boolean; onChange: (isPaused: boolean) => void }>;

/** Holds a view still that would go on by itself. */
export const LiveSwitch = ({ isPaused, onChange }: Props) => {
  const { t } = useTranslation('common');
  return (
    <Button
      icon={isPaused ? <Play /> : <Pause />}
      text={isPaused ? t('live-resume') : t('live-pause')}
      aria-pressed={isPaused}
      onClick={() => onChange(!isPaused)}
    />
  );
};
