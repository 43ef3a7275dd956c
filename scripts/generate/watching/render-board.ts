import type { Board, Panel } from './board.ts'

const width = 12
const height = 8
const datasource = { type: 'prometheus', uid: '$datasource' }

/** The dashboard in Grafana's import format. */
export function renderBoard({ uid, title, panels }: Board): string {
  const board = {
    uid: `lathe-${uid}`,
    title: `Lathe: ${title}`,
    tags: ['lathe'],
    schemaVersion: 39,
    editable: false,
    refresh: '30s',
    time: { from: 'now-6h', to: 'now' },
    templating: { list: [{ name: 'datasource', type: 'datasource', query: 'prometheus', label: 'Data source' }] },
    links: [{ title: 'Lathe', type: 'dashboards', tags: ['lathe'], asDropdown: true, includeVars: true }],
    panels: panels.map(toPanel),
  }
  return `${JSON.stringify(board, null, 2)}\n`
}

function toPanel({ title, about, unit, queries }: Panel, i: number) {
  return {
    id: i + 1,
    type: 'timeseries',
    title,
    description: about,
    datasource,
    gridPos: { x: (i % 2) * width, y: Math.floor(i / 2) * height, w: width, h: height },
    fieldConfig: { defaults: { unit, min: 0, custom: { fillOpacity: 8, showPoints: 'never' } }, overrides: [] },
    options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
    targets: queries.map(({ expr, legend = '__auto' }, n) => ({
      refId: String.fromCharCode(65 + n),
      datasource,
      expr,
      legendFormat: legend,
    })),
  }
}
