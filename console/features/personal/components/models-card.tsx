import { Button, Classes } from '@blueprintjs/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useOwnModels } from '../../../shared/account.ts';
import { CopyTag } from '../../../shared/components/copy-tag.tsx';
import { readLocal, writeLocal } from '../../../shared/local-values.ts';

const shownFolded = 10;

export const ModelsCard = () => {
  const { t } = useTranslation('personal');
  const { data } = useOwnModels();
  const [isOpen, setOpen] = useState(() => readLocal('modelsExpanded') === 'true');
  const toggle = () => {
    writeLocal('modelsExpanded', String(!isOpen));
    setOpen(!isOpen);
  };
  const models = data ?? [];
  const shown = isOpen ? models : models.slice(0, shownFolded);
  return (
    <section className="panel panel-body">
      <h2 className="panel-title">{t('models')}</h2>
      <p className="panel-lead">{t('models-lead')}</p>
      {!data && <div className={`${Classes.SKELETON} field-skeleton`} />}
      {data && models.length === 0 && <p className="subtle">{t('no-models')}</p>}
      <div className="tag-row">
        {shown.map((name) => (
          <CopyTag key={name} colour="cyan" text={name} />
        ))}
        {models.length > shownFolded && (
          <Button
            size="small"
            variant="minimal"
            text={isOpen ? t('fold') : t('more-models', { number: models.length - shownFolded })}
            onClick={toggle}
          />
        )}
      </div>
    </section>
  );
};
