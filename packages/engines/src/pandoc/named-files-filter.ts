/**
 * `files.lua`: removes what would make Pandoc open a file while it writes. Pandoc reads style sheets, the cover of a
 * book and slide backgrounds from any path that the metadata or attributes of a text name.
 */
export const namedFilesFilter = `local names = { 'css', 'stylesheet', 'cover-image', 'epub-cover-image', 'background-image' }

function Meta(meta)
  for _, name in ipairs(names) do meta[name] = nil end
  return meta
end

function Header(header)
  header.attributes['background-image'] = nil
  return header
end
`
