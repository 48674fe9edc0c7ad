// SPDX-License-Identifier: GPL-3.0-or-later
#include <clocale>
#include <memory>
#include <stdexcept>
#include <unistd.h>
#include <vector>

#include <archive.h>
#include <archive_entry.h>

#include "backend/host/sandbox/rootfs_import.h"

namespace boxdeck::host {

namespace {

constexpr std::size_t block = 256 * 1024;

class Packer
{
public:
    Packer(std::string from, int fd)
        : m_from(std::move(from))
        , m_disk(archive_read_disk_new(), archive_read_free)
        , m_out(archive_write_new(), archive_write_free)
        , m_links(archive_entry_linkresolver_new(), archive_entry_linkresolver_free)
    {
        archive_read_disk_set_symlink_physical(m_disk.get());
        archive_read_disk_set_behavior(m_disk.get(), ARCHIVE_READDISK_NO_TRAVERSE_MOUNTS);
        archive_write_set_format_pax(m_out.get());
        archive_entry_linkresolver_set_strategy(m_links.get(), archive_format(m_out.get()));
        if (archive_write_open_fd(m_out.get(), fd) != ARCHIVE_OK)
            failed(m_out.get());
        if (archive_read_disk_open(m_disk.get(), m_from.c_str()) != ARCHIVE_OK)
            failed(m_disk.get());
    }

    void run()
    {
        for (;;) {
            std::unique_ptr<archive_entry, void (*)(archive_entry *)> entry(archive_entry_new(), archive_entry_free);
            const int result = archive_read_next_header2(m_disk.get(), entry.get());
            if (result == ARCHIVE_EOF)
                break;
            if (result != ARCHIVE_OK && result != ARCHIVE_WARN)
                failed(m_disk.get());
            archive_read_disk_descend(m_disk.get());
            pack(entry.get());
        }
        if (archive_write_close(m_out.get()) != ARCHIVE_OK)
            failed(m_out.get());
    }

private:
    [[noreturn]] static void failed(archive *one)
    {
        const char *said = archive_error_string(one);
        throw std::runtime_error(said != nullptr ? said : "the folder cannot be read");
    }

    void pack(archive_entry *entry)
    {
        const char *named = archive_entry_pathname(entry);
        const std::string path = named != nullptr ? named : "";
        if (path.size() <= m_from.size() || !path.starts_with(m_from))
            return; // the folder itself
        archive_entry_set_pathname(entry, path.c_str() + m_from.size() + 1);
        if (archive_entry_filetype(entry) == AE_IFSOCK)
            return; // tar has none
        if (const uid_t own = geteuid(); own != 0) {
            if (archive_entry_uid(entry) == own)
                archive_entry_set_uid(entry, 0);
            if (archive_entry_gid(entry) == getegid())
                archive_entry_set_gid(entry, 0);
        }
        archive_entry_sparse_clear(entry); // the content is written whole
        archive_entry *second = nullptr;
        archive_entry_linkify(m_links.get(), &entry, &second);
        if (entry == nullptr)
            return;
        if (archive_write_header(m_out.get(), entry) < ARCHIVE_WARN)
            failed(m_out.get());
        if (archive_entry_filetype(entry) == AE_IFREG && archive_entry_size(entry) > 0)
            content();
    }

    void content()
    {
        std::vector<char> buffer(block);
        for (;;) {
            const la_ssize_t got = archive_read_data(m_disk.get(), buffer.data(), buffer.size());
            if (got == 0)
                return;
            if (got < 0)
                failed(m_disk.get());
            if (archive_write_data(m_out.get(), buffer.data(), static_cast<std::size_t>(got)) < 0)
                failed(m_out.get());
        }
    }

    std::string m_from;
    std::unique_ptr<archive, int (*)(archive *)> m_disk;
    std::unique_ptr<archive, int (*)(archive *)> m_out;
    std::unique_ptr<archive_entry_linkresolver, void (*)(archive_entry_linkresolver *)> m_links;
};

} // namespace

void packRoot(const std::string &from, int outFd)
{
    std::setlocale(LC_CTYPE, "C.UTF-8"); // names of other letters are kept as they are only with it
    Packer(from, outFd).run();
}

} // namespace boxdeck::host
