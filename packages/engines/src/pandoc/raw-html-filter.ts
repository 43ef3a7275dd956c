/**
 * `raw.lua`: turns HTML inside Markdown into elements of the document, since formats other than HTML cannot hold raw
 * HTML.
 */
export const rawHtmlFilter = `local wraps = {
  sub = pandoc.Subscript, sup = pandoc.Superscript, b = pandoc.Strong, strong = pandoc.Strong, i = pandoc.Emph,
  em = pandoc.Emph, u = pandoc.Underline, ins = pandoc.Underline, s = pandoc.Strikeout, del = pandoc.Strikeout,
}

local function is_html(element)
  return element.t == 'RawInline' and element.format:match('html') ~= nil
end

local function closing(list, from, name)
  for n = from, #list do
    if is_html(list[n]) and list[n].text:lower():match('^</' .. name .. '%s*>') then return n end
  end
end

function Inlines(list)
  local result = pandoc.Inlines({})
  local n = 1
  while n <= #list do
    local one = list[n]
    if not is_html(one) then
      result:insert(one)
    else
      local name = one.text:lower():match('^<([a-z][a-z0-9]*)')
      local last = name and wraps[name] and closing(list, n + 1, name)
      if name == 'br' then
        result:insert(pandoc.LineBreak())
      elseif name == 'img' then
        result:extend(pandoc.utils.blocks_to_inlines(pandoc.read(one.text, 'html').blocks))
      elseif last then
        local inner = pandoc.Inlines({})
        for k = n + 1, last - 1 do inner:insert(list[k]) end
        result:insert(wraps[name](Inlines(inner)))
        n = last
      end
    end
    n = n + 1
  end
  return result
end

function RawBlock(block)
  if block.format:match('html') then return pandoc.read(block.text, 'html').blocks end
end

return { { RawBlock = RawBlock, Inlines = Inlines } }
`
