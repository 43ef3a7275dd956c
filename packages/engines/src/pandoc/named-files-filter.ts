/**
 * `files.lua`: what would have Pandoc open a file while it writes. Style sheets and the cover of a book are read from
 * wherever the properties of a text say, and so is what stands behind a slide.
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
