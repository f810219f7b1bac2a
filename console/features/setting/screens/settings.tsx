import { Classes } from '@blueprintjs/core';
import { ChevronLeft } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { LoadFailed } from '../../../shared/components/load-failed.tsx';
import { Page } from '../../../shared/components/page.tsx';
import { UnsavedGuard } from '../../../shared/components/unsaved-guard.tsx';
import { useIsNarrow } from '../../../shared/hooks/use-is-narrow.ts';
import { useUrlFilters } from '../../../shared/hooks/use-url-filters.ts';
import { paths } from '../../../shared/paths.ts';
import { useOptions } from '../api/options.ts';
import { SectionBody } from '../components/section-body.tsx';
import { namedSection, type Section, wantedSection } from '../components/sections.ts';
import { SettingNav } from '../components/setting-nav.tsx';

const SectionPane = ({ section }: Readonly<{ section: Section }>) => {
  const options = useOptions();
  return (
    <div className="setting-pane">
      {options.isError && !options.data && (
        <LoadFailed error={options.error} onRetry={() => void options.refetch()} />
      )}
      {options.isPending && <div className={`panel ${Classes.SKELETON} card-skeleton`} />}
      {options.data && (
        <SectionBody
          key={`${section.tab} ${section.id}`}
          section={section}
          options={options.data}
        />
      )}
    </div>
  );
};

/** The list of sections next to one of them; on a phone one after the other. */
export const Settings = () => {
  const { t } = useTranslation('setting');
  const [wanted] = useUrlFilters({ tab: 'operation', section: '', sub: '' });
  const isNarrow = useIsNarrow();
  const section = wantedSection(wanted);
  const isListOnly = isNarrow && namedSection(wanted) === null;
  return (
    <UnsavedGuard>
      <Page title={t('title')} lead={t('lead')}>
        <div className="settings">
          {(!isNarrow || isListOnly) && <SettingNav current={isListOnly ? null : section} />}
          {isNarrow && !isListOnly && (
            <Link to={paths.setting} className="setting-back">
              <ChevronLeft /> {t('all-sections')}
            </Link>
          )}
          {!isListOnly && <SectionPane section={section} />}
        </div>
      </Page>
    </UnsavedGuard>
  );
};
