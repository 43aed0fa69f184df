#include "cli/elf_file.h"

#include <cstring>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace loomp::cli {

namespace {

std::string_view text_at(std::span<const char> strings, std::size_t start) {
    if (start >= strings.size())
        return {};
    return {strings.data() + start, strnlen(strings.data() + start, strings.size() - start)};
}

} // namespace

ElfFile::ElfFile(const std::filesystem::path &path) {
    const int descriptor = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    struct stat status = {};
    if (fstat(descriptor, &status) == 0 && status.st_size > 0) {
        size_ = static_cast<std::size_t>(status.st_size);
        void *bytes = mmap(nullptr, size_, PROT_READ, MAP_PRIVATE, descriptor, 0);
        bytes_ = bytes == MAP_FAILED ? nullptr : static_cast<const char *>(bytes);
    }
    close(descriptor);
}

ElfFile::~ElfFile() {
    if (bytes_ != nullptr)
        munmap(const_cast<char *>(bytes_), size_);
}

const Elf64_Ehdr *ElfFile::header() const {
    const auto head = at<Elf64_Ehdr>(0, 1);
    if (head.empty() || std::memcmp(head[0].e_ident, ELFMAG, SELFMAG) != 0 ||
        head[0].e_ident[EI_CLASS] != ELFCLASS64)
        return nullptr;
    return head.data();
}

std::string ElfFile::interpreter() const {
    for (const Elf64_Phdr &segment : at<Elf64_Phdr>(header()->e_phoff, header()->e_phnum)) {
        if (segment.p_type != PT_INTERP)
            continue;
        const auto text = at<char>(segment.p_offset, segment.p_filesz);
        return {text.data(), strnlen(text.data(), text.size())};
    }
    return {};
}

std::size_t ElfFile::thread_data() const {
    for (const Elf64_Phdr &segment : at<Elf64_Phdr>(header()->e_phoff, header()->e_phnum))
        if (segment.p_type == PT_TLS)
            return segment.p_memsz + segment.p_align;
    return 0;
}

bool ElfFile::defines(std::span<const std::string_view> names) const {
    for (const Elf64_Shdr &section : sections()) {
        if ((section.sh_type != SHT_SYMTAB && section.sh_type != SHT_DYNSYM) ||
            section.sh_link >= sections().size())
            continue;
        const Elf64_Shdr &strings = sections()[section.sh_link];
        const auto text = at<char>(strings.sh_offset, strings.sh_size);
        for (const Elf64_Sym &symbol :
             at<Elf64_Sym>(section.sh_offset, section.sh_size / sizeof(Elf64_Sym))) {
            if (symbol.st_shndx == SHN_UNDEF || symbol.st_name >= text.size())
                continue;
            const std::string_view name = text_at(text, symbol.st_name);
            for (std::string_view wanted : names)
                if (name == wanted)
                    return true;
        }
    }
    return false;
}

std::vector<std::pair<Elf64_Sxword, std::string_view>> ElfFile::dynamic_names() const {
    std::vector<std::pair<Elf64_Sxword, std::string_view>> result;
    const Section section = find_section(SHT_DYNAMIC);
    if (section.head == nullptr)
        return result;
    for (const Elf64_Dyn &entry :
         at<Elf64_Dyn>(section.head->sh_offset, section.head->sh_size / sizeof(Elf64_Dyn))) {
        if (entry.d_tag == DT_NULL)
            break;
        for (const Elf64_Sxword tag :
             {DT_NEEDED, DT_RPATH, DT_RUNPATH, DT_AUDIT, DT_DEPAUDIT, DT_AUXILIARY, DT_FILTER})
            if (entry.d_tag == tag)
                result.emplace_back(tag, text_at(section.strings, entry.d_un.d_val));
    }
    return result;
}

std::vector<std::string_view> ElfFile::versions_needed(std::string_view file) const {
    std::vector<std::string_view> result;
    const Section section = find_section(SHT_GNU_verneed);
    if (section.head == nullptr)
        return result;
    std::size_t from = section.head->sh_offset;
    for (unsigned files = section.head->sh_info; files > 0; --files) {
        const auto need = at<Elf64_Verneed>(from, 1);
        if (need.empty())
            break;
        std::size_t version = from + need[0].vn_aux;
        for (unsigned left = need[0].vn_cnt; left > 0; --left) {
            const auto aux = at<Elf64_Vernaux>(version, 1);
            if (aux.empty())
                break;
            if (text_at(section.strings, need[0].vn_file) == file &&
                (aux[0].vna_flags & VER_FLG_WEAK) == 0)
                result.push_back(text_at(section.strings, aux[0].vna_name));
            if (aux[0].vna_next == 0)
                break; // a damaged file could have billions that stay here
            version += aux[0].vna_next;
        }
        if (need[0].vn_next == 0)
            break;
        from += need[0].vn_next;
    }
    return result;
}

std::vector<std::string_view> ElfFile::versions_defined() const {
    std::vector<std::string_view> result;
    const Section section = find_section(SHT_GNU_verdef);
    if (section.head == nullptr)
        return result;
    std::size_t from = section.head->sh_offset;
    for (unsigned left = section.head->sh_info; left > 0; --left) {
        const auto version = at<Elf64_Verdef>(from, 1);
        if (version.empty())
            break;
        // The first one is its name; those that it inherits from follow.
        if (const auto aux = at<Elf64_Verdaux>(from + version[0].vd_aux, 1); !aux.empty())
            result.push_back(text_at(section.strings, aux[0].vda_name));
        if (version[0].vd_next == 0)
            break;
        from += version[0].vd_next;
    }
    return result;
}

std::span<const Elf64_Shdr> ElfFile::sections() const {
    return at<Elf64_Shdr>(header()->e_shoff, header()->e_shnum);
}

ElfFile::Section ElfFile::find_section(Elf64_Word type) const {
    for (const Elf64_Shdr &section : sections()) {
        if (section.sh_type != type)
            continue;
        if (section.sh_link >= sections().size())
            return {&section, {}};
        const Elf64_Shdr &strings = sections()[section.sh_link];
        return {&section, at<char>(strings.sh_offset, strings.sh_size)};
    }
    return {};
}

} // namespace loomp::cli
